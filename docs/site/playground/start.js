/** Waits for a game from the playground, which is around this frame, and then runs the page with it. */
{
  const element = (name) => document.getElementById(name);
  document.documentElement.classList.add("guest");
  addEventListener("message", ({ data, source }) => {
    if (source !== parent || typeof data.whole !== "string") return;
    element("data").textContent = data.data;
    element("signs").innerHTML = data.drawings;
    element("whole").textContent = data.whole;
    unpack();
  });
  const tell = () => parent.postMessage({ height: document.body.scrollHeight }, "*");
  new ResizeObserver(tell).observe(document.body);
  parent.postMessage({ ready: true }, "*");
}
