const LINK = /<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))[^>]*>(.*?)<\/a\s*>/gis;
const MOST = 1000;

/** @type {import("./bindings/door").Door["of"]} */
export async function of(address) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${answer.statusText}`);
  const links = [];
  for (const [, double, single, bare, inner] of (await answer.text()).matchAll(LINK)) {
    const to = absolute(plain(double ?? single ?? bare), answer.url);
    if (to) links.push({ to, text: plain(inner.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim() });
    if (links.length === MOST) break;
  }
  return links;
}

/** Without the references that stand for characters which HTML needs itself. */
function plain(text) {
  const known = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => known[name]);
}

/** Undefined for what leads to no page. */
function absolute(to, base) {
  if (!URL.canParse(to, base)) return undefined;
  const url = new URL(to, base);
  return url.protocol.startsWith("http") ? url.href : undefined;
}
