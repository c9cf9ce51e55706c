import { cloneElement, createContext, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Calendar, dateFnsLocalizer, Navigate } from "react-big-calendar";
import { addDays } from "date-fns/addDays";
import { addHours } from "date-fns/addHours";
import { addMonths } from "date-fns/addMonths";
import { endOfWeek } from "date-fns/endOfWeek";
import { format } from "date-fns/format";
import { getDay } from "date-fns/getDay";
import { parse } from "date-fns/parse";
import { startOfWeek } from "date-fns/startOfWeek";
import { fr } from "date-fns/locale/fr";
import "react-big-calendar/lib/css/react-big-calendar.css";
import "./event_calendar.css";

// The views, and their names in the address.
const NAMES = { month: "mois", week: "semaine", day: "jour", agenda: "agenda" };
const VIEWS = Object.keys(NAMES);
const PHONE = "(width < 640px)";
const AGENDA_DAYS = 92;
const MESSAGES = {
  month: "Mois", week: "Semaine", day: "Jour", agenda: "Agenda", today: "Aujourd’hui",
  previous: "Précédent", next: "Suivant", date: "Date", time: "Heure", event: "Événement",
  allDay: "Journée", noEventsInRange: "Aucun événement sur cette période.", showMore: (count) => `+ ${count}`,
};
const NOON = 12;
const MORNING = 8;

const localizer = dateFnsLocalizer({
  format, parse, getDay, locales: { fr },
  startOfWeek: (date) => startOfWeek(date, { locale: fr }),
});
const MONDAY = { locale: fr };
const written = (date, pattern) => format(date, pattern, { locale: fr });
/** Only the first of a month is an ordinal in French. */
const dayOf = (date) => (date.getDate() === 1 ? "do" : "d");
const hours = ({ start, end }) => `${written(start, "HH:mm")} – ${written(end, "HH:mm")}`;
const days = ({ start, end }) =>
  `${written(start, dayOf(start) + (start.getMonth() === end.getMonth() ? "" : " MMM"))} – ${written(end, `${dayOf(end)} MMM yyyy`)}`;
const months = ({ start, end }) =>
  `${written(start, start.getFullYear() === end.getFullYear() ? "MMM" : "MMM yyyy")} – ${written(end, "MMM yyyy")}`;
const FORMATS = {
  dateFormat: "d", dayFormat: "eee d", weekdayFormat: "eee", timeGutterFormat: "HH:mm",
  selectRangeFormat: hours,
  monthHeaderFormat: "MMMM yyyy", dayHeaderFormat: (date) => written(date, `eee ${dayOf(date)} MMM yyyy`), dayRangeHeaderFormat: days,
  agendaHeaderFormat: months, agendaDateFormat: "eee d MMM", agendaTimeFormat: "HH:mm", agendaTimeRangeFormat: hours,
};

/** Reads and writes local times of the club without an offset, such as 2027-01-14T12:00. */
const read = (text) => {
  const [year, month, day, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  return new Date(year, month - 1, day, hour, minute);
};
const write = (date) => format(date, "yyyy-MM-dd'T'HH:mm");
const dayText = (date) => format(date, "yyyy-MM-dd");
const monthText = (date) => format(date, "yyyy-MM");
const atNoon = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), NOON);
const inFull = (date) => written(date, `eeee ${dayOf(date)} MMMM yyyy`);

/** The view and the day in the address; undefined and null where they are missing or invalid. */
function parseAddress(search) {
  const parameters = new URLSearchParams(search);
  const day = parameters.get("date") ?? "";
  const date = /^20\d\d-\d\d-\d\d$/.test(day) ? read(day) : null;
  return {
    view: VIEWS.find((name) => NAMES[name] === parameters.get("vue")),
    date: date && dayText(date) === day ? date : null,
  };
}

/** The day that a key of the month view moves to, and the hour that a key of the week view moves to. */
const MONTH_KEYS = {
  ArrowLeft: (day) => addDays(day, -1), ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7), ArrowDown: (day) => addDays(day, 7),
  Home: (day) => startOfWeek(day, MONDAY), End: (day) => endOfWeek(day, MONDAY),
  PageUp: (day) => addMonths(day, -1), PageDown: (day) => addMonths(day, 1),
};
const HOUR_KEYS = {
  ArrowLeft: (hour) => addDays(hour, -1), ArrowRight: (hour) => addDays(hour, 1),
  ArrowUp: (hour) => addHours(hour, -1), ArrowDown: (hour) => addHours(hour, 1),
  PageUp: (hour) => addDays(hour, -7), PageDown: (hour) => addDays(hour, 7),
};

/** Whether a view of a date shows a moment. */
function isDrawn(moment, view, date) {
  if (view === "month") return monthText(moment) === monthText(date);
  if (view === "week") return dayText(startOfWeek(moment, MONDAY)) === dayText(startOfWeek(date, MONDAY));
  return dayText(moment) === dayText(date);
}

/** The hour scrolled to at first: 8, or an hour before the first event. */
function firstHour(events, view, date) {
  const hours = events.filter(({ start }) => isDrawn(start, view, date)).map(({ time }) => parseInt(time, 10));
  return new Date(1970, 0, 1, hours.length ? Math.max(MORNING, Math.min(...hours) - 1) : MORNING);
}

/** The only cell with tabindex 0: the keyboard's last, else today, else the first one shown. */
function tabStopOf(cursor, view, date, now) {
  if (cursor && isDrawn(cursor, view, date)) return cursor;
  if (isDrawn(now, view, date)) return atNoon(now);
  if (view === "month") return atNoon(new Date(date.getFullYear(), date.getMonth(), 1));
  return atNoon(view === "week" ? startOfWeek(date, MONDAY) : date);
}

const Cells = createContext({ pick: () => {}, stop: "", today: "" });

/** An event as a button; its click bubbles to the cell around it, which the library listens to. */
const EventButton = ({ event }) => (
  <button
    type="button" className="calendar-event" data-status={event.status}
    aria-label={`${inFull(event.start)}, ${event.time} ${event.title}, ${event.status_label}`}
    title={`${event.title} (${event.status_label})`}
  >
    <span className="calendar-event-time">{event.time}</span>
    {" "}
    <span className="calendar-event-title">{event.title}</span>
  </button>
);

/** In the agenda the status is also written. */
const AgendaEvent = ({ event }) => (
  <span className="calendar-line">
    <EventButton event={event} />
    <span className="badge" data-status={event.status}>{event.status_label}</span>
  </span>
);

/** The library gives the rows of the month the role `row`, whose children must be cells. */
const EventCell = (props) => <div role="cell"><EventButton {...props} /></div>;

/** In the week and day views the library draws the button around an event. */
const EventText = ({ event }) => (
  <span className="calendar-event-title">
    {event.title}
    <span className="visually-hidden">{`, ${inFull(event.start)}, ${event.status_label}`}</span>
  </span>
);

/** The part of a day before an hour such as 14:30, in percent. */
const shareOfDay = (text) => {
  const [hour, minute] = text.split(":").map(Number);
  return (hour * 60 + minute) / 14.4;
};

/**
 * Position and label of an event in its column, computed from the club's hours: in the browser's time zone, the same
 * day may lack an hour.
 */
const EventPosition = ({ event: { title, time, until }, continuesPrior, continuesAfter, children }) => {
  const isCut = continuesAfter || until === "00:00";
  const [from, to] = [continuesPrior ? 0 : shareOfDay(time), isCut ? 100 : shareOfDay(until)];
  const range = `${continuesPrior ? "" : `${time} `}–${continuesAfter ? "" : ` ${until}`}`;
  const [label, content] = children.props.children;
  const { style } = children.props;
  return cloneElement(children, { title: `${range}: ${title}`, style: { ...style, top: `${from}%`, height: `${to - from}%` } },
    cloneElement(label, {}, range), content);
};

/** The number of a day; one of the month is in the tab order, the arrow keys move between days. */
const DayNumber = ({ date, label }) => {
  const { pick, stop, today } = useContext(Cells);
  const day = dayText(date);
  return (
    <button
      type="button" className="calendar-day" data-day={day} tabIndex={stop.startsWith(day) ? 0 : -1}
      aria-label={`Créer un événement le ${inFull(date)}`} onClick={() => pick(atNoon(date))}
      aria-current={today.startsWith(day) ? "date" : undefined}
    >
      {label}
    </button>
  );
};

const DayName = ({ label }) => <span>{label}</span>;

/** The header of a column of the week; on a phone the number stands under the name. */
const WeekDay = ({ date }) => (
  <span className="calendar-weekday">
    <span>{written(date, "eee")}</span>
    {" "}
    <span>{written(date, "d")}</span>
  </span>
);

/** An event past midnight has a line for each of its days, each with its beginning and its end. */
const AgendaHours = ({ event }) => `${event.time} – ${event.until}`;

const DayCell = ({ value, children }) => {
  const { pick } = useContext(Cells);
  return cloneElement(children, { onClick: () => pick(atNoon(value)) });
};

/** An hour of the week or the day view; the slots of the gutter have children and are only labels. */
const HourSlot = ({ value, children }) => {
  const { pick, stop } = useContext(Cells);
  if (children.props.children) return children;
  const hour = write(value);
  return cloneElement(children, {
    role: "button", "data-hour": hour, tabIndex: hour === stop ? 0 : -1,
    "aria-label": `Créer un événement le ${inFull(value)} à ${written(value, "HH:mm")}`, onClick: () => pick(value),
  });
};

const Arrow = ({ label, turn, onClick }) => (
  <button type="button" className="calendar-arrow" aria-label={label} onClick={onClick}>
    <svg viewBox="0 0 20 20" width={18} height={18} aria-hidden>
      <path
        d={turn} fill="none" stroke="currentColor" strokeWidth={2} strokeLinecap="round" strokeLinejoin="round"
      />
    </svg>
  </button>
);

const Toolbar = ({ label, view, onNavigate, onView }) => (
  <div className="calendar-toolbar">
    <h2 className="calendar-title" data-view={view} aria-live="polite">{label}</h2>
    <div className="calendar-moves">
      <Arrow label={MESSAGES.previous} turn="M12 4l-6 6 6 6" onClick={() => onNavigate(Navigate.PREVIOUS)} />
      <button type="button" className="calendar-today" onClick={() => onNavigate(Navigate.TODAY)}>
        {MESSAGES.today}
      </button>
      <Arrow label={MESSAGES.next} turn="M8 4l6 6-6 6" onClick={() => onNavigate(Navigate.NEXT)} />
    </div>
    <div className="calendar-views" role="group" aria-label="Affichage">
      {VIEWS.map((name) => (
        <button key={name} type="button" aria-pressed={view === name} onClick={() => onView(name)}>
          {MESSAGES[name]}
        </button>
      ))}
    </div>
  </div>
);

const COMPONENTS = {
  toolbar: Toolbar, event: EventButton, dateCellWrapper: DayCell, timeSlotWrapper: HourSlot,
  month: { dateHeader: DayNumber, event: EventCell },
  week: { header: WeekDay, event: EventText, eventWrapper: EventPosition },
  day: { header: DayName, event: EventText, eventWrapper: EventPosition }, agenda: { time: AgendaHours, event: AgendaEvent },
};

/** Adds the accessible names that the library leaves out. */
function useAccessibleNames(box, label) {
  useEffect(() => {
    const set = (selector, attributes) => Object.entries(attributes).forEach(([name, value]) =>
      box.current?.querySelector(selector)?.setAttribute(name, value));
    set(".rbc-month-view", { "aria-label": `Calendrier, ${label}` });
    set(".rbc-time-content", { role: "group", "aria-label": "Heures" });
  });
}

/** The view and the date, kept in the address so that links and the back button lead to them. */
function useAddress(now) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [first] = useState(() => (window.matchMedia(PHONE).matches ? "agenda" : "month"));
  const { view = first, date } = parseAddress(search);
  const shown = { view, date: date ?? now };
  const go = (change, isToday = false) => {
    const next = { ...shown, ...change };
    const parameters = new URLSearchParams(search);
    parameters.set("vue", NAMES[next.view]);
    parameters.set("date", dayText(next.date));
    if (isToday) parameters.delete("saison"); // the season beside it is that of the date again
    if (`?${parameters}` !== search) navigate({ pathname, search: `?${parameters}` }, { preventScrollReset: true });
  };
  return { ...shown, go };
}

/** Keys that move the focus between days or hours; past the edge they show the next month or week. */
function useCursor(box, { view, date, go }) {
  const [cursor, setCursor] = useState(null);
  const follow = useRef(false);
  useEffect(() => {
    if (!follow.current || !isDrawn(cursor, view, date)) return undefined;
    // The library renders a new month twice, to measure it; only the elements of the second rendering stay.
    const frame = requestAnimationFrame(() => {
      follow.current = false;
      box.current?.querySelector(`[data-day="${dayText(cursor)}"], [data-hour="${write(cursor)}"]`)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
  const onKeyDown = (event) => {
    const { day, hour } = event.target.dataset;
    if (hour && ["Enter", " "].includes(event.key)) {
      event.preventDefault();
      event.target.click();
    }
    const move = day ? MONTH_KEYS[event.key] : hour && HOUR_KEYS[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = move(day ? atNoon(read(day)) : read(hour));
    follow.current = true;
    setCursor(day ? atNoon(next) : next);
    if (!isDrawn(next, view, date)) go({ date: next });
  };
  return { cursor, onKeyDown };
}

/** `entries`, `today` and what `onPick` receives are local times of the club without an offset. */
export function EventCalendar({ entries, today, height, onPick, onOpen, onTurn }) {
  const box = useRef(null);
  const now = read(today);
  const address = useAddress(now);
  const { view, date, go } = address;
  const { cursor, onKeyDown } = useCursor(box, address);
  const events = useMemo(() => entries.map((entry) => ({
    ...entry, start: read(entry.start), end: read(entry.end),
    time: entry.start.slice(11, 16), until: entry.end.slice(11, 16),
  })), [entries]);
  const stop = write(tabStopOf(cursor, view, date, now));
  const cells = useMemo(() => ({ pick: (moment) => onPick?.(write(moment)), stop, today }), [onPick, stop, today]);
  useAccessibleNames(box, written(date, "MMMM yyyy"));
  const turn = useRef(onTurn);
  useEffect(() => { turn.current = onTurn; });
  useEffect(() => { turn.current?.(); }, [view, monthText(date)]);

  const open = (event) => onOpen?.(event.id);
  const byKey = (event, key) => {
    if (key.target !== key.currentTarget || !["Enter", " "].includes(key.key)) return;
    key.preventDefault();
    open(event);
  };
  const calendar = (
    <Calendar
      localizer={localizer} culture="fr" messages={MESSAGES} formats={FORMATS} views={VIEWS}
      components={COMPONENTS} events={events} view={view} date={date} style={{ height }} length={AGENDA_DAYS}
      popup showMultiDayTimes selectable={false} drilldownView={null} getNow={() => read(today)}
      scrollToTime={firstHour(events, view, date)} step={60} timeslots={1}
      onView={(name) => go({ view: name })} onNavigate={(day, _, way) => go({ date: day }, way === Navigate.TODAY)}
      onSelectEvent={open} onKeyPressEvent={byKey}
      eventPropGetter={(event) => ({ className: `status-${event.status}` })}
    />
  );
  return (
    <div ref={box} className="club-calendar" onKeyDown={onKeyDown}>
      <Cells.Provider value={cells}>{calendar}</Cells.Provider>
    </div>
  );
}
