// Requests that change something. They throw an Error with the text of the server.

export async function post(path, body = {}) {
  let response;
  try {
    response = await fetch(`api/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error("The server does not answer.");
  }
  if (!response.ok) throw new Error(await reason(response));
}

// reason is the error in a response, as the server has put it.
export async function reason(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return text.trim() || response.statusText;
  }
}

// run makes a request for a control, which is disabled meanwhile, and shows its error.
export async function run(control, problem, path, body) {
  const hadFocus = document.activeElement === control;
  problem.textContent = "";
  control.disabled = true;
  try {
    await post(path, body);
    return true;
  } catch (error) {
    problem.textContent = error.message;
    return false;
  } finally {
    control.disabled = false;
    if (hadFocus && document.activeElement === document.body) control.focus();
  }
}
