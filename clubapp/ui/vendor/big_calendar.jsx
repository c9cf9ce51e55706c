import { createElement as h, cloneElement, createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { Calendar, dateFnsLocalizer, Navigate } from "react-big-calendar";
import { format } from "date-fns/format";
import { getDay } from "date-fns/getDay";
import { parse } from "date-fns/parse";
import { startOfWeek } from "date-fns/startOfWeek";
import { fr } from "date-fns/locale/fr";
import "react-big-calendar/lib/css/react-big-calendar.css";
import "./big_calendar.css";

const VIEWS = ["month", "week", "day", "agenda"];
const MESSAGES = {
  month: "Mois", week: "Semaine", day: "Jour", agenda: "Agenda", today: "Aujourd'hui",
  previous: "Précédent", next: "Suivant", date: "Date", time: "Heure", event: "Événement",
  allDay: "Journée", noEventsInRange: "Aucun événement sur cette période.", showMore: (count) => `+ ${count}`,
};
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
const NOON = 12;

const localizer = dateFnsLocalizer({
  format, parse, getDay, locales: { fr },
  startOfWeek: (date) => startOfWeek(date, { locale: fr }),
});
const written = (date, pattern) => format(date, pattern, { locale: fr });
/** Only the first of a month is an ordinal in French. */
const dayOf = (date) => (date.getDate() === 1 ? "do" : "d");
const hours = ({ start, end }) => `${written(start, "HH:mm")} – ${written(end, "HH:mm")}`;
const days = ({ start, end }) =>
  `${written(start, dayOf(start) + (start.getMonth() === end.getMonth() ? "" : " MMM"))} – ${written(end, `${dayOf(end)} MMM yyyy`)}`;
const FORMATS = {
  dateFormat: "d", dayFormat: "eee d", weekdayFormat: "eee", timeGutterFormat: "HH:mm",
  selectRangeFormat: hours, eventTimeRangeFormat: hours,
  eventTimeRangeStartFormat: ({ start }) => `${written(start, "HH:mm")} –`,
  eventTimeRangeEndFormat: ({ end }) => `– ${written(end, "HH:mm")}`,
  monthHeaderFormat: "MMMM yyyy", dayHeaderFormat: (date) => written(date, `eee ${dayOf(date)} MMMM yyyy`), dayRangeHeaderFormat: days,
  agendaHeaderFormat: days, agendaDateFormat: "eee d MMM", agendaTimeFormat: "HH:mm", agendaTimeRangeFormat: hours,
};

/** A naive local time such as 2027-01-14T12:00, both ways: no zone crosses the wire. */
const read = (text) => {
  const [year, month, day, hour, minute] = text.split(/\D/).map(Number);
  return new Date(year, month - 1, day, hour, minute);
};
const write = (date) => format(date, "yyyy-MM-dd'T'HH:mm");
const atNoon = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), NOON);

const Act = createContext({ pick: () => {}, focusDay: "" });

/** An event as a real button; the click is heard by the cell around it. */
const EventButton = ({ event }) => h("button", {
  type: "button", className: "calendar-event", "data-status": event.status,
  "aria-label": `${event.time} ${event.title}, ${event.status_label}`, title: `${event.title} (${event.status_label})`,
}, h("span", { className: "calendar-event-time" }, event.time), " ", h("span", { className: "calendar-event-title" }, event.title));

/** The month is a table to screen readers: its rows hold cells. */
const EventCell = (props) => h("div", { role: "cell" }, h(EventButton, props));

/** In the week and day views the frame around an event is already a button. */
const EventText = ({ event }) => h("span", { className: "calendar-event-title" },
  event.title, h("span", { className: "visually-hidden" }, `, ${event.status_label}`));

/** The number of a day: one stop for Tab in the month, arrows between days. */
const DayNumber = ({ date, label }) => {
  const { pick, focusDay } = useContext(Act);
  const day = format(date, "yyyy-MM-dd");
  return h("button", {
    type: "button", className: "calendar-day", "data-day": day, tabIndex: day === focusDay ? 0 : -1,
    "aria-label": `Créer un événement le ${written(date, `eeee ${dayOf(date)} MMMM yyyy`)}`, onClick: () => pick(atNoon(date)),
  }, label);
};

const DayName = ({ label }) => h("span", null, label);

/** The head of a column of the week: on a phone the number stands under the name. */
const WeekDay = ({ date }) => h("span", { className: "calendar-weekday" },
  h("span", null, written(date, "eee")), " ", h("span", null, written(date, "d")));

/** An event past midnight has a line for each of its days; both tell when it begins and ends. */
const AgendaHours = ({ event }) => hours(event);

const DayCell = ({ value, children }) => {
  const { pick } = useContext(Act);
  return cloneElement(children, { onClick: () => pick(atNoon(value)) });
};

const HourSlot = ({ value, children }) => {
  const { pick } = useContext(Act);
  return cloneElement(children, { onClick: () => pick(value) });
};

const Arrow = ({ label, turn, onClick }) => h("button", { type: "button", className: "calendar-arrow", "aria-label": label, onClick },
  h("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": true },
    h("path", { d: turn, fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinecap: "round", strokeLinejoin: "round" })));

const Toolbar = ({ label, view, onNavigate, onView }) => h("div", { className: "calendar-toolbar" },
  h("h2", { className: "calendar-title", "data-view": view, "aria-live": "polite" }, label),
  h("div", { className: "calendar-moves" },
    h(Arrow, { label: MESSAGES.previous, turn: "M12 4l-6 6 6 6", onClick: () => onNavigate(Navigate.PREVIOUS) }),
    h("button", { type: "button", className: "calendar-today", onClick: () => onNavigate(Navigate.TODAY) }, MESSAGES.today),
    h(Arrow, { label: MESSAGES.next, turn: "M8 4l6 6-6 6", onClick: () => onNavigate(Navigate.NEXT) })),
  h("div", { className: "calendar-views", role: "group", "aria-label": "Affichage" },
    VIEWS.map((name) => h("button", {
      key: name, type: "button", "aria-pressed": view === name, onClick: () => onView(name),
    }, MESSAGES[name]))));

const COMPONENTS = {
  toolbar: Toolbar, event: EventButton, dateCellWrapper: DayCell, timeSlotWrapper: HourSlot,
  month: { dateHeader: DayNumber, event: EventCell },
  week: { header: WeekDay, event: EventText }, day: { header: DayName, event: EventText }, agenda: { time: AgendaHours },
};

/** Arrows move between the day numbers of the month. */
function moveByArrows(event) {
  const from = event.target.closest?.(".calendar-day");
  const step = STEPS[event.key];
  if (!from || !step) return;
  const all = [...event.currentTarget.querySelectorAll(".calendar-day")];
  const next = all[all.indexOf(from) + step];
  if (!next) return;
  event.preventDefault();
  all.forEach((day) => { day.tabIndex = day === next ? 0 : -1; });
  next.focus();
}

/** What the library leaves out: a French name for the month, and hours that the keyboard can scroll. */
function useAccessibleGrid(box, label) {
  useEffect(() => {
    const set = (selector, attributes) => Object.entries(attributes).forEach(([name, value]) =>
      box.current?.querySelector(selector)?.setAttribute(name, value));
    set(".rbc-month-view", { "aria-label": `Calendrier, ${label}` });
    set(".rbc-time-content", { tabindex: "0", role: "group", "aria-label": "Heures" });
  });
}

/** The club's calendar: `entries` and `today` are naive local times; a pick gives one back. */
export function BigCalendar({ entries, today, height, onPick, onOpen }) {
  const box = useRef(null);
  const [view, setView] = useState("month");
  const now = read(today);
  const [date, setDate] = useState(now);
  const events = useMemo(() => entries.map((entry) => ({
    ...entry, start: read(entry.start), end: read(entry.end), time: entry.start.slice(11, 16),
  })), [entries]);
  const sameMonth = date.getMonth() === now.getMonth() && date.getFullYear() === now.getFullYear();
  const focusDay = format(sameMonth ? now : new Date(date.getFullYear(), date.getMonth(), 1), "yyyy-MM-dd");
  const act = useMemo(() => ({ pick: (moment) => onPick?.(write(moment)), focusDay }), [onPick, focusDay]);
  useAccessibleGrid(box, written(date, "MMMM yyyy"));

  const open = (event) => onOpen?.(event.id);
  const byKey = (event, key) => {
    if (key.target !== key.currentTarget || !["Enter", " "].includes(key.key)) return;
    key.preventDefault();
    open(event);
  };
  const calendar = h(Calendar, {
    localizer, culture: "fr", messages: MESSAGES, formats: FORMATS, views: VIEWS, components: COMPONENTS,
    events, view, date, style: { height }, popup: true, showMultiDayTimes: true, selectable: false, drilldownView: null,
    getNow: () => read(today), scrollToTime: new Date(1970, 0, 1, 8), step: 60, timeslots: 1,
    onView: setView, onNavigate: setDate, onSelectEvent: open, onKeyPressEvent: byKey,
    eventPropGetter: (event) => ({ className: `status-${event.status}` }),
  });
  return h("div", { ref: box, className: "club-calendar", onKeyDown: moveByArrows },
    h(Act.Provider, { value: act }, calendar));
}
