/** Splits the text of a command rule into words, each cut at its wildcards. Quotes and backslashes make `*` literal. */
export function readRuleWords(text: string): readonly (readonly string[])[] {
  const words: string[][] = []
  let word: string[] | undefined
  const open = () => {
    if (word === undefined) {
      word = ['']
      words.push(word)
    }
    return word
  }
  const add = (letters: string) => {
    const pieces = open()
    pieces.push((pieces.pop() ?? '') + letters)
  }
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    const close = letter === "'" || letter === '"' ? text.indexOf(letter, i + 1) : -1
    if (letter === ' ' || letter === '\t') word = undefined
    else if (letter === '*') open().push('')
    else if (letter === '\\') add(text[++i] ?? '\\')
    else if (close !== -1) {
      add(text.slice(i + 1, close))
      i = close
    } else add(letter)
  }
  return words
}

/** Writes words as a rule that matches exactly these words. */
export function writeRuleWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,^#~!?&|<>;()[\]{}$-]+$/.test(word) ? word : quote(word))).join(' ')
}

function quote(word: string): string {
  if (word !== '' && !/[\s'"]/.test(word)) return word.replace(/[\\*]/g, '\\$&')
  return word.includes("'") ? word.replace(/[\\*'"\s]/g, '\\$&') : `'${word}'`
}
