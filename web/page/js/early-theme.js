// Sets the colors before the page is drawn: those that were chosen here, or those of the system.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("theme") ?? "auto";
  const apply = () => {
    const theme = chosen() === "auto" ? (dark.matches ? "dark" : "light") : chosen();
    document.documentElement.dataset.theme = theme;
  };
  dark.addEventListener("change", apply);
  addEventListener("storage", apply); // chosen in another tab
  apply();
  addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    select.value = chosen();
    select.addEventListener("change", () => {
      localStorage.setItem("theme", select.value);
      apply();
    });
  });
})();
