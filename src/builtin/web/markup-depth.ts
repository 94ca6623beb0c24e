/** How deeply elements may nest. Elements that indent their content count several times. */
const deepest = 256
const indenting = 8

/** Elements without content. */
const voids = /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/

/** Elements that are closed implicitly when an element of this name starts. */
const endedBy: ReadonlyMap<string, RegExp> = new Map([
  ['p', /^p$/],
  ['li', /^(p|li)$/],
  ['dt', /^(p|dt|dd)$/],
  ['dd', /^(p|dt|dd)$/],
  ['td', /^(p|td|th)$/],
  ['th', /^(p|td|th)$/],
  ['tr', /^(p|td|th|tr)$/],
  ['tbody', /^(p|td|th|tr|thead|tbody)$/],
  ['tfoot', /^(p|td|th|tr|thead|tbody)$/],
  ['option', /^option$/],
])

/** Whether elements nest so deeply that a conversion to Markdown would take too long, or too much stack. */
export function isTooDeep(markup: string): boolean {
  const open: string[] = []
  let depth = 0
  const close = () => {
    depth -= weightOf(open.pop() ?? '')
  }
  for (const [, end, word = ''] of markup.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = word.toLowerCase()
    if (voids.test(name)) continue
    if (end === '') {
      while (endedBy.get(name)?.test(open.at(-1) ?? '') === true) close()
      open.push(name)
      depth += weightOf(name)
      if (depth > deepest) return true
    } else if (open.includes(name)) {
      while (open.at(-1) !== name) close()
      close()
    }
  }
  return false
}

function weightOf(name: string): number {
  return /^(blockquote|ul|ol)$/.test(name) ? indenting : 1
}
