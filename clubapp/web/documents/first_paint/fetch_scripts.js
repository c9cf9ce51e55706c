// What is painted first is here, sheets included: the scripts come while it is painted, and run after it was.
document.querySelectorAll("link[rel=later]").forEach(function (link) { link.rel = "modulepreload"; });
