const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => references[character] ?? character)
}

/** Escapes text of Markdown, in which the character references of the markup characters stand for these. */
export function escapeMarkdownText(text: string): string {
  return escapeHtml(text).replace(/&amp;(amp|lt|gt|quot|#39|nbsp);/g, '&$1;')
}
