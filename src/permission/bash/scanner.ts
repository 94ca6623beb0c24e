import { omitUndefined } from '../../omit-undefined.ts'
import { decodeAnsiC } from './ansi-c.ts'
import { CommandList } from './command-list.ts'
import { type Script, scriptsOf, unknownPart, type Word, type WordPart } from './syntax.ts'
import {
  defaultExpansion,
  operator,
  plainExpansion,
  redirection,
  unquotedText,
  variable,
  wordBreak,
} from './tokens.ts'

/** Nesting of scripts. No line written by hand goes as deep. */
const deepest = 40

/** Reads a whole script in linear time. Never throws; sets `broken` if it cannot be read. */
export function scan(text: string, depth = 0): Script {
  return new Scanner(text, depth).script()
}

/** The substitutions in a quoted text that bash expands anyway: a subscript, a prompt or arithmetic. */
export function scanEmbedded(text: string, depth = 0): readonly WordPart[] {
  return text.includes('$') || text.includes('`') ? new Scanner(text, depth).expansions() : []
}

class Scanner {
  readonly #text: string
  readonly #depth: number
  #at = 0
  #broken = false
  /** Nesting of braces. */
  #braced = 0

  constructor(text: string, depth: number) {
    this.#text = text
    this.#depth = depth
  }

  /** Reads to the end, or to the parenthesis that closes a nested script. */
  script(isNested = false): Script {
    const list = new CommandList()
    let parentheses = 0
    for (;;) {
      this.#skipBlanks()
      if (this.#at >= this.#text.length) break
      if (this.#redirect(list)) continue
      const symbol = this.#match(operator)
      if (symbol === undefined) {
        list.word(this.#word())
        continue
      }
      if (symbol === '(') parentheses++
      if (symbol === ')' && parentheses === 0 && isNested && list.cases === 0) {
        this.#fill(list)
        return list.close(this.#broken)
      }
      if (symbol === ')' && parentheses > 0) parentheses--
      else if (symbol === ')' && list.cases === 0) this.#broken = true
      list.operator(symbol)
      if (symbol === '\n') this.#fill(list)
    }
    this.#fill(list)
    if (isNested || parentheses > 0) this.#broken = true
    return list.close(this.#broken)
  }

  /** Reads the expansions of the whole text, as if in double quotes. */
  expansions(): readonly WordPart[] {
    return this.#quotedParts(undefined)
  }

  #giveUp(): void {
    this.#broken = true
    this.#at = this.#text.length
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #takes(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #skipBlanks(): void {
    for (;;) {
      const letter = this.#peek()
      if (letter === ' ' || letter === '\t') this.#at++
      else if (letter === '\\' && this.#text[this.#at + 1] === '\n') this.#at += 2
      else if (letter === '#') {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end === -1 ? this.#text.length : end
      } else return
    }
  }

  #redirect(list: CommandList): boolean {
    const start = this.#at
    if (this.#text[start + 1] === '(' && '<>'.includes(this.#peek())) return false
    const found = this.#match(redirection)
    if (found === undefined) return false
    const [, descriptor, operator = ''] = /^(\d+|\{\w+\})?(.*)$/.exec(found) ?? []
    while (' \t'.includes(this.#peek()) && this.#at < this.#text.length) this.#at++
    const target = this.#word()
    if (target.start === target.end) this.#broken = true
    list.redirect({ operator, target, ...omitUndefined({ descriptor }) })
    return true
  }

  /** Reads the here-documents that the last line announced. */
  #fill(list: CommandList): void {
    for (const pending of list.takePending()) {
      const delimiter = pending.target.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const isLiteral = pending.target.parts.some((part) => part.type !== 'text' || part.quoted)
      const lines: string[] = []
      let isClosed = false
      while (!isClosed && this.#at < this.#text.length) {
        const end = this.#text.indexOf('\n', this.#at)
        const line = this.#text.slice(this.#at, end === -1 ? undefined : end)
        this.#at = end === -1 ? this.#text.length : end + 1
        const bare = pending.operator === '<<-' ? line.replace(/^\t+/, '') : line
        isClosed = bare === delimiter
        if (!isClosed) lines.push(bare)
      }
      if (!isClosed) this.#broken = true
      const text = lines.map((line) => `${line}\n`).join('')
      const body: readonly WordPart[] = isLiteral
        ? [{ type: 'text', text, quoted: true }]
        : new Scanner(text, this.#depth + 1).expansions()
      list.fill(pending, { text, body })
    }
  }

  #word(): Word {
    const start = this.#at
    const parts: WordPart[] = []
    while (this.#at < this.#text.length) {
      const letter = this.#peek()
      const next = this.#text[this.#at + 1]
      if ((letter === '<' || letter === '>') && next === '(' && parts.length === 0) {
        this.#at += 2
        parts.push({ type: 'process', script: this.#nested() })
      } else if (letter === '(' && this.#text[this.#at - 1] === '=' && parts.length > 0) {
        this.#at++
        parts.push({ type: 'unknown', scripts: [this.#nested()] })
      } else if (wordBreak.includes(letter)) break
      else for (const part of this.#unquoted(letter)) parts.push(part)
    }
    return { parts, start, end: this.#at }
  }

  #unquoted(letter: string): readonly WordPart[] {
    const text = this.#match(unquotedText)
    if (text !== undefined) return [{ type: 'text', text, quoted: false }]
    this.#at++
    switch (letter) {
      case '\\': {
        const escaped = this.#text[this.#at++] ?? '\\'
        return escaped === '\n' ? [] : [{ type: 'text', text: escaped, quoted: true }]
      }
      case "'":
        return [{ type: 'text', text: this.#until("'"), quoted: true }]
      case '"':
        return this.#quotedParts('"')
      case '`':
        return [this.#backticks(false)]
      case '$':
        return [this.#expansion(false)]
      default:
        // A blank that is part of the word: only space, tab and newline separate words in bash.
        return [{ type: 'text', text: letter, quoted: false }]
    }
  }

  /** Reads up to the closing quote and skips it; without one, to the end of the text. */
  #quotedParts(close: '"' | '}' | undefined): readonly WordPart[] {
    const parts: WordPart[] = []
    let text = ''
    const flush = () => {
      if (text !== '' || (close === '"' && parts.length === 0))
        parts.push({ type: 'text', text, quoted: true })
      text = ''
    }
    while (this.#at < this.#text.length) {
      const letter = this.#text[this.#at++] ?? ''
      if (letter === close) {
        flush()
        return parts
      }
      if (letter === '\\') {
        const escaped = this.#text[this.#at++] ?? ''
        text +=
          escaped === '\n' ? '' : '$`"\\'.includes(escaped) || close === '}' ? escaped : letter + escaped
      } else if (letter === '$' || letter === '`') {
        flush()
        parts.push(letter === '$' ? this.#expansion(true) : this.#backticks(true))
      } else if (close === '}' && letter === "'") text += this.#until("'")
      else if (close === '}' && letter === '"') {
        flush()
        for (const part of this.#quotedParts('"')) parts.push(part)
      } else text += letter
    }
    if (close !== undefined) this.#broken = true
    flush()
    return parts
  }

  /** Reads the expansion after a dollar sign. */
  #expansion(quoted: boolean): WordPart {
    if (!quoted && this.#takes("'")) return { type: 'text', text: decodeAnsiC(this.#ansiC()), quoted: true }
    if (!quoted && this.#peek() === '"') return { type: 'text', text: '', quoted: true }
    if (this.#text.startsWith('((', this.#at)) return this.#arithmetic()
    if (this.#takes('(')) return { type: 'substitution', script: this.#nested(), quoted }
    if (this.#takes('[')) return unknownPart([])
    if (this.#takes('{')) return this.#braces(quoted)
    const name = this.#match(variable)
    return name === undefined ? { type: 'text', text: '$', quoted: true } : { type: 'variable', name, quoted }
  }

  #braces(quoted: boolean): WordPart {
    const name = this.#match(plainExpansion)?.slice(0, -1)
    if (name !== undefined) return { type: 'variable', name, quoted }
    const given = this.#match(defaultExpansion)
    if (this.#depth + this.#braced >= deepest) {
      this.#giveUp()
      return unknownPart([])
    }
    this.#braced++
    const word = this.#quotedParts('}')
    this.#braced--
    if (given === undefined) return unknownPart(scriptsOf(word))
    const [variable = '', sign] = given.split(/:?([-=+])$/)
    return { type: 'default', name: variable, word, assigns: sign === '=', quoted }
  }

  /** Reads the substitutions of `$((…))`, and its commands in case it is a subshell in a substitution. */
  #arithmetic(): WordPart {
    this.#at++
    const start = this.#at
    const commands = this.#nested()
    const inside = this.#text.slice(start, this.#at)
    if (!/['"#]/.test(inside)) return unknownPart([commands])
    // Arithmetic expands even quoted text. Scanning twice at each depth would take exponential time, hence the limit.
    if (this.#depth < 3) return unknownPart([...scriptsOf(scanEmbedded(inside, this.#depth + 3)), commands])
    this.#broken = true
    return unknownPart([commands])
  }

  /** Reads a script up to its closing parenthesis. */
  #nested(): Script {
    if (this.#depth >= deepest) {
      this.#giveUp()
      return new CommandList().close(true)
    }
    const inner = new Scanner(this.#text, this.#depth + this.#braced + 1)
    inner.#at = this.#at
    const script = inner.script(true)
    this.#at = inner.#at
    if (script.broken) this.#broken = true
    return script
  }

  #backticks(quoted: boolean): WordPart {
    const start = this.#at
    while (this.#at < this.#text.length && this.#peek() !== '`') this.#at += this.#peek() === '\\' ? 2 : 1
    const inside = this.#text.slice(start, this.#at).replace(/\\([`\\$])/g, '$1')
    if (this.#at++ >= this.#text.length || this.#depth >= deepest) {
      this.#broken = true
      return unknownPart([])
    }
    return { type: 'substitution', script: scan(inside, this.#depth + 1), quoted }
  }

  #until(close: string): string {
    const end = this.#text.indexOf(close, this.#at)
    if (end === -1) this.#broken = true
    const text = this.#text.slice(this.#at, end === -1 ? undefined : end)
    this.#at += text.length + 1
    return text
  }

  #ansiC(): string {
    const start = this.#at
    while (this.#at < this.#text.length && this.#peek() !== "'") this.#at += this.#peek() === '\\' ? 2 : 1
    if (this.#at >= this.#text.length) this.#broken = true
    return this.#text.slice(start, this.#at++)
  }
}
