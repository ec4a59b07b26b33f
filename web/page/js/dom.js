// What the parts of the page need of the DOM. Text from the server is always set as text, never as HTML.

export const byID = (id) => document.getElementById(id);

// el makes an element with properties and children; a child that is null or false is left out.
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(node.dataset, value);
    else if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== false));
  return node;
}

// setText changes text only if it differs, so that screen readers and selections are left in peace.
export function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

// list makes the children of a parent those of some items, by their keys: what stays keeps its node, and its focus.
// create makes a node for an item; update changes it to what the item is now.
export function list(parent, items, key, create, update = () => {}) {
  const nodes = (parent.nodesByKey ??= new Map());
  const wanted = new Set();
  let next = parent.firstChild;
  for (const item of items) {
    const k = key(item);
    wanted.add(k);
    let node = nodes.get(k);
    if (!node) nodes.set(k, (node = create(item)));
    update(node, item);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
  for (const [k, node] of nodes) {
    if (wanted.has(k)) continue;
    if (node.contains(document.activeElement)) keepFocus(node);
    node.remove();
    nodes.delete(k);
  }
}

// keepFocus moves the focus out of a node that is removed, to what is near it.
function keepFocus(node) {
  const section = node.closest("section");
  const near = [...section.querySelectorAll("button, input, select, summary")].find(
    (e) => !node.contains(e) && e.checkVisibility(),
  );
  (near ?? byID("main")).focus({ preventScroll: true });
}
