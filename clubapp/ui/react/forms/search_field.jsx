import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

const PAUSE_MS = 180;

/**
 * A search form whose text stands in the address under `parameter`. What is typed replaces the last entry of the
 * history, so that the back button leaves the list, and comes back to it as it was. The parameter that a new search
 * `forgets` goes.
 */
export function SearchField({ parameter, forgets, label, placeholder, longest, children, ...rest }) {
  const field = useRef(null);
  const told = useRef("");
  const timer = useRef();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    const asked = new URLSearchParams(search).get(parameter) ?? "";
    // What we told the address ourselves comes back here while the next letters are being typed.
    if (asked === told.current) return;
    told.current = field.current.value = asked;
  }, [search, parameter]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const tell = () => {
    clearTimeout(timer.current);
    const wanted = field.current.value.trim();
    if (wanted === told.current) return;
    told.current = wanted;
    const parameters = new URLSearchParams(window.location.search);
    if (wanted) parameters.set(parameter, wanted);
    else parameters.delete(parameter);
    parameters.delete(forgets);
    navigate({ pathname, search: parameters.toString() }, { replace: true, preventScrollReset: true });
  };
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(tell, PAUSE_MS);
  };
  const onSubmit = (event) => {
    event.preventDefault();
    tell();
  };
  const input = (
    <input
      ref={field} type="search" name={parameter} placeholder={placeholder} onInput={onInput} maxLength={longest}
      aria-label={label} autoComplete="off" enterKeyHint="search" spellCheck={false} className="control"
    />
  );
  return (
    <form {...rest} role="search" method="get" onSubmit={onSubmit}>
      {input}
      {children}
    </form>
  );
}
