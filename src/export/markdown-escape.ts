/** Escapes each match in Markdown: one character, or a character reference. */
export function escapeMarkdown(text: string, markup: RegExp): string {
  return text.replace(markup, (found) => {
    // Behind a bare address, a backslash would become a part of it and escape nothing.
    if (found.startsWith('<')) return `&lt;${found.slice(1)}`
    return found.startsWith('&') ? `&amp;${found.slice(1)}` : `\\${found}`
  })
}
