import { marked } from "marked";

/**
 * @param {string} markdown
 * @returns {string}
 */
export function toHtml(markdown) {
  return marked.parse(markdown, { gfm: true, async: false });
}
