// What this browser has not fetched before is not waited for: the stand-ins of the typefaces are shown until the
// interface has taken over. Were they changed sooner, the same text would be painted large twice.
try {
  if (!localStorage.getItem("fonts")) document.documentElement.classList.add("plain");
} catch (error) {}
