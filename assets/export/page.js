"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const articles = Array.from(document.querySelectorAll("main article"));
  root.classList.add("scripted");

  const reveal = (node) => {
    for (let at = node; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") at.open = true;
    }
  };
  const follow = () => {
    const target = location.hash.length > 1 && byId(location.hash.slice(1));
    if (target) {
      reveal(target);
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", follow);
  follow();

  for (const box of document.querySelectorAll(".bar input[type=checkbox]")) {
    box.addEventListener("change", () => root.classList.toggle("hide-" + box.value, !box.checked));
  }
  byId("fold").addEventListener("click", () => {
    const all = Array.from(document.querySelectorAll("main details"));
    const open = !all.some((it) => it.open);
    for (const it of all) it.open = open;
    byId("fold").textContent = open ? "Fold all" : "Unfold all";
  });
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  const MOST_MARKS = 5000;
  const field = byId("find");
  const told = byId("found");
  const texts = articles.map(() => null);
  const textOf = (at) => (texts[at] ??= articles[at].textContent.toLowerCase());
  let found = [];
  let here = -1;
  const mark = (words) => {
    if (!globalThis.CSS || !CSS.highlights) return;
    CSS.highlights.delete("found");
    const ranges = [];
    for (const article of found) {
      const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length < MOST_MARKS; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        if (text.length !== node.data.length) continue;
        for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + words.length);
          ranges.push(range);
        }
      }
    }
    if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
  };
  const search = () => {
    const words = field.value.trim().toLowerCase();
    found = words ? articles.filter((_, at) => textOf(at).includes(words)) : [];
    here = -1;
    const held = new Set(found);
    root.classList.toggle("filtered", words !== "");
    for (const article of articles) {
      article.classList.remove("here");
      article.classList.toggle("found", held.has(article));
    }
    told.value = words ? found.length + (found.length === 1 ? " entry" : " entries") : "";
    mark(words);
  };
  const step = (by) => {
    if (!found.length) return;
    found[here]?.classList.remove("here");
    here = (here + by + found.length) % found.length;
    const words = field.value.trim().toLowerCase();
    found[here].classList.add("here");
    for (const it of found[here].querySelectorAll("details")) {
      if (it.textContent.toLowerCase().includes(words)) it.open = true;
    }
    found[here].scrollIntoView();
    told.value = here + 1 + " of " + found.length;
  };
  let timer = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      field.value = "";
      search();
    }
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
})();
