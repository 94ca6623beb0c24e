import {
  assignmentsIn,
  changesReading,
  namesScript,
  readAssignment,
  scriptsOfValue,
  stripAssignments,
  variablesNamed,
} from '../bash/assignment.ts'
import { expandText, expandWord, expandWords, givenInput, isWord, printed } from '../bash/expansion.ts'
import { type Field, markedText, marks, unknownText } from '../bash/fields.ts'
import { scan, scanEmbedded } from '../bash/scanner.ts'
import {
  type Redirect,
  type ScannedCommand,
  type Script,
  scriptsOf,
  type Word,
  type WordPart,
} from '../bash/syntax.ts'
import { VariableValues, variableName } from '../bash/variable-values.ts'
import { literalsOf, mentionsInCode, wordsIn } from '../programs/code.ts'
import { commandName } from '../programs/command-name.ts'
import { codeIn, innerOf } from '../programs/inner.ts'
import { type InputUse, inputKinds, inputOf } from '../programs/input.ts'
import { mentionsIn } from '../programs/mentioned-files.ts'
import { programIn, programOf } from '../programs/program-table.ts'
import { hasWord } from '../programs/word-fields.ts'
import type { Execution } from './execution.ts'
import { deepest, mostPiped, mostRounds, mostScripts, mostWords, unknowns } from './line-limits.ts'
import { wordsHere } from './remote.ts'

/**
 * Reads `texts` as code for one shell until nothing new turns up. Lists too much rather than too little. `here`: leaves out what
 * runs on another machine, provided that commands are what their names say.
 */
export function readExecution(
  texts: readonly string[],
  environment: Readonly<Record<string, string>>,
  scope: 'here' | 'anywhere' = 'anywhere',
): Execution {
  return new Reading(environment, scope === 'here').read(texts)
}

class Reading {
  readonly #variables: VariableValues
  readonly #isHere: boolean
  readonly #scripts = new Map<string, Script>()
  readonly #commands = new Map<string, readonly Field[]>()
  /** The use of each command's input. */
  readonly #inputs = new Map<string, InputUse>()
  readonly #redirects = new Map<string, { operator: string; target: Field }>()
  readonly #folders = new Set<string | undefined>()
  readonly #mentioned = new Map<string, readonly string[]>()
  readonly #code = new Set<string>()
  /** Texts scanned in this round for substitutions that bash runs despite quotes. */
  readonly #embedded = new Set<string>()
  #opaque: string | undefined
  #words = 0
  #depth = 0
  #changed = false

  constructor(environment: Readonly<Record<string, string>>, isHere: boolean) {
    this.#variables = new VariableValues(environment)
    this.#isHere = isHere
  }

  read(texts: readonly string[]): Execution {
    for (const text of texts) this.#addScript(text)
    let rounds = 0
    do {
      this.#changed = false
      this.#embedded.clear()
      for (const script of this.#scripts.values()) this.#visit(script)
    } while (this.#changed && ++rounds < mostRounds)
    if (this.#changed) this.#hide(unknowns.tooManyTimes)
    return {
      commands: [...this.#commands.values()],
      mentioned: [...this.#mentioned.values()],
      redirects: [...this.#redirects.values()],
      folders: [...this.#folders],
      code: [...this.#code],
      opaque: this.#opaque,
    }
  }

  #addScript(text: string | undefined): void {
    if (text === undefined || marks.test(text)) {
      this.#hide(unknowns.script)
      return
    }
    if (text.trim() === '' || this.#scripts.has(text)) return
    if (this.#scripts.size >= mostScripts) this.#hide('it holds too many scripts')
    else {
      this.#scripts.set(text, scan(text))
      this.#changed = true
    }
  }

  #mention(words: readonly string[]): void {
    const key = words.join('\0')
    if (words.length === 0 || this.#mentioned.has(key)) return
    this.#words += words.length
    if (this.#words > mostWords) this.#hide(unknowns.tooDeep)
    else this.#mentioned.set(key, words)
  }

  #hide(reason: string): void {
    this.#opaque ??= reason
  }

  #visit({ commands, loops, broken }: Script): void {
    if (broken) this.#hide('it cannot be read as shell')
    if (this.#depth >= deepest) {
      this.#hide(unknowns.tooManyTimes)
      return
    }
    this.#depth++
    for (const { name, values } of loops) {
      for (const word of values) {
        this.#visitParts(word.parts)
        for (const fields of expandWord(word, this.#variables.all))
          for (const field of fields) if (name !== undefined) this.#give(name, markedText(field))
      }
    }
    for (const [i, command] of commands.entries()) this.#visitCommand(command, () => commands.slice(0, i))
    this.#depth--
  }

  #visitCommand(command: ScannedCommand, before: () => readonly ScannedCommand[]): void {
    for (const { parts } of command.words) this.#visitParts(parts)
    for (const redirect of command.redirects) this.#visitRedirect(redirect)
    const first = command.words.findIndex((word) => readAssignment(word) === undefined)
    const words = first === -1 ? [] : command.words.slice(first)
    // `IFS=x read` sets `IFS` for `read` only.
    const isForRead = words.length > 0 && isWord(words[0], 'read')
    for (const word of first === -1 ? command.words : command.words.slice(0, first))
      if (!isForRead || readAssignment(word)?.name !== 'IFS') this.#visitAssignment(word, words.length > 0)
    if (words.length === 0) return
    for (const fields of expandWords(words, this.#variables.all)) {
      if (programIn(fields)?.declares) for (const word of words) this.#visitAssignment(word, false)
      const input = this.#run(fields)
      if (input !== 'data') this.#feed(command, input, before())
    }
  }

  #visitParts(parts: readonly WordPart[]): void {
    for (const script of scriptsOf(parts)) this.#visit(script)
    for (const part of parts) {
      if (part.type !== 'default') continue
      // `${x:=y}`. An unknown variable stays unknown anyway.
      const isKnown = this.#variables.all.has(part.name)
      for (const value of expandText(part.word, this.#variables.all)) {
        if (isKnown) this.#assign(part.name, value ?? unknownText)
        if (part.assigns) this.#addValue(part.name, value ?? unknownText)
      }
    }
  }

  #visitEmbedded(text: string): void {
    if (this.#embedded.has(text)) return
    if (this.#embedded.size >= mostScripts) {
      this.#hide('it holds too many scripts')
      return
    }
    this.#embedded.add(text)
    for (const script of scriptsOf(scanEmbedded(text))) this.#visit(script)
  }

  #visitRedirect({ operator, target, body }: Redirect): void {
    this.#visitParts(target.parts)
    if (body !== undefined) this.#visitParts(body)
    if (operator.startsWith('<<')) return
    for (const fields of expandWord(target, this.#variables.all)) {
      for (const field of fields) this.#open(operator, field)
    }
  }

  #open(operator: string, target: Field): void {
    this.#redirects.set(`${operator} ${markedText(target)}`, { operator, target })
  }

  #visitAssignment(word: Word, isPassed: boolean): void {
    const assignment = readAssignment(word)
    if (assignment === undefined) return
    for (const value of expandText(assignment.value, this.#variables.all)) {
      this.#assign(assignment.name, assignment.appends ? unknownText : (value ?? unknownText))
      this.#addValue(assignment.name, value ?? unknownText, isPassed)
    }
  }

  /** `isPassed`: a program gets the variable, and may run what its value says. */
  #addValue(name: string, value: string, isPassed = false): void {
    for (const script of scriptsOfValue(name, value)) this.#addScript(script)
    if (namesScript.test(name))
      this.#open('<', { text: value, known: !/[$`]/.test(value) && !marks.test(value), glob: false })
    // Bash expands a value again if it is used as a subscript, a number or a prompt.
    this.#visitEmbedded(value)
    if (isPassed) this.#mention(wordsIn(value))
  }

  #give(name: string, value: string, isPassed = false): void {
    this.#assign(name, value)
    this.#addValue(name, value, isPassed)
  }

  #assign(name: string, value: string): void {
    if (changesReading.test(name)) this.#hide(`it sets ${name}, which changes how the rest is read`)
    if (this.#variables.assign(name, value)) this.#changed = true
  }

  /** Records a command and everything that it runs in turn. */
  #run(given: readonly Field[]): InputUse {
    const fields = this.#isHere ? (wordsHere(given) ?? given) : given
    const key = fields.map((field) => `${markedText(field)}${field.glob ? '*' : ''}`).join('\0')
    const known = this.#inputs.get(key)
    if (known !== undefined) return known
    const [first] = fields
    if (first === undefined) return 'data'
    const own = fields === given ? inputOf(fields) : 'data'
    this.#inputs.set(key, own)
    this.#commands.set(key, fields)
    this.#take(first, fields)
    const { commands, scripts } = innerOf(fields)
    for (const script of scripts) this.#addScript(script)
    for (const one of commands) this.#words += one.length
    if (this.#words > mostWords) {
      this.#hide(unknowns.tooDeep)
      return 'script'
    }
    const inputs = [own, ...commands.map((one) => this.#run(stripAssignments(one)))]
    const input = inputKinds.find((one) => inputs.includes(one)) ?? 'data'
    this.#inputs.set(key, input)
    return input
  }

  #take(first: Field, fields: readonly Field[]): void {
    if (!first.known || first.glob) this.#hide('which command runs is only known when it runs')
    const name = commandName(fields)
    const args = fields.slice(1)
    if (first.known) this.#mention(mentionsIn(name, args))
    const { declares, enters, sets, evaluates, takesVariables, language } = programOf(name) ?? {}
    if (!language?.isFilter) for (const code of codeIn(name, args)) this.#code.add(code)
    if (declares) this.#declare(args, name === 'export' || hasWord(args, /^-[A-Za-z]*x/))
    for (const { text, known, glob } of enters?.(args) ?? [])
      this.#folders.add(known && !glob ? text : undefined)
    if (sets) for (const variable of variablesNamed(args)) this.#assign(variable, unknownText)
    if (evaluates) for (const { text } of args) this.#visitEmbedded(text)
    if (takesVariables)
      for (const [variable, value] of assignmentsIn(fields))
        this.#addValue(variable, value ?? unknownText, true)
  }

  #declare(args: readonly Field[], isPassed: boolean): void {
    if (hasWord(args, /^-[A-Za-z]*n/)) {
      this.#hide('it gives a variable a second name')
      for (const { text } of args) {
        const [name = ''] = text.split('=', 1)
        if (variableName.test(name) && this.#variables.refer(name)) this.#changed = true
      }
    }
    for (const [name, value] of assignmentsIn(args)) this.#give(name, value ?? unknownText, isPassed)
    // `export NAME` passes the values that it has.
    for (const { text } of isPassed ? args : [])
      for (const value of [...(this.#variables.all.get(text) ?? [])]) this.#addValue(text, value, true)
  }

  /** Records what runs from a command's input: a here-document, piped output, a process substitution. */
  #feed(command: ScannedCommand, input: InputUse, before: readonly ScannedCommand[]): void {
    const variables = this.#variables.all
    for (const text of givenInput(command, variables)) this.#addInput(text, input)
    if (command.redirects.some(({ operator }) => /^<($|<)/.test(operator))) return
    const isShell = input === 'script' || input === 'data of a script'
    if (!isShell && !command.piped) return
    const outputs = (isShell ? before : before.slice(-mostPiped)).map((one) => printed(one, variables))
    for (const output of outputs)
      for (const text of output) if (text !== undefined) this.#addInput(text, input)
    const isPlain = outputs.at(-1)?.every((text) => text !== undefined) ?? true
    if (!isPlain && (input === 'script' || input === 'code')) this.#hide(unknowns.script)
  }

  #addInput(text: string | undefined, input: InputUse): void {
    if (input === 'script' || input === 'data of a script') this.#addScript(text)
    else if (text === undefined && input === 'code') this.#hide(unknowns.script)
    else if (text !== undefined && input === 'text') this.#mention(wordsIn(text))
    else if (text !== undefined) {
      this.#code.add(text)
      this.#mention(mentionsInCode(text))
      for (const one of literalsOf(text)) this.#addScript(one)
    }
  }
}
