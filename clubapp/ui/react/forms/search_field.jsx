import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";

const PAUSE_MS = 180;

/**
 * A search form whose text stands in the address under `parameter`. Typing replaces the last entry of the
 * history, so that the back button leaves the list. A new search removes the parameters `reset`, with spaces between them.
 */
export function SearchField({ parameter, reset, label, placeholder, maxLength, children, ...rest }) {
  const field = useRef(null);
  const applied = useRef("");
  const timer = useRef();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();

  useEffect(() => {
    const query = new URLSearchParams(search).get(parameter) ?? "";
    // Our own change of the address arrives here while the next letters are being typed.
    if (query === applied.current) return;
    applied.current = field.current.value = query;
  }, [search, parameter]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = () => {
    clearTimeout(timer.current);
    const wanted = field.current.value.trim();
    if (wanted === applied.current) return;
    applied.current = wanted;
    const parameters = new URLSearchParams(window.location.search);
    if (wanted) parameters.set(parameter, wanted);
    else parameters.delete(parameter);
    reset.split(" ").forEach((name) => parameters.delete(name));
    navigate({ pathname, search: parameters.toString() }, { replace: true, preventScrollReset: true });
  };
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(apply, PAUSE_MS);
  };
  const onSubmit = (event) => {
    event.preventDefault();
    apply();
  };
  const input = (
    <input
      ref={field} type="search" name={parameter} placeholder={placeholder} onInput={onInput} maxLength={maxLength}
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
