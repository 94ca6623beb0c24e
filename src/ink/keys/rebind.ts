import { PipeError } from '../../error.ts'
import { nearest } from '../../ranking/nearest.ts'
import { type ActionName, type Binding, type Bindings, bindings, bindingsOf } from './bindings.ts'
import { keyLabel } from './key-label.ts'

/** The user's keys by the name of their action: `{"queue": ["alt+enter"], "interrupt": "esc"}`. */
export type KeySettings = Readonly<Record<string, string | readonly string[]>>

/**
 * Returns the meanings of keys with those of the user. A key that the user gives to one action is taken from the others that it would
 * hide. Throws `config` for an unknown action or key, and for a key with two meanings.
 */
export function rebind(settings: KeySettings): Bindings {
  const chosen = new Map<ActionName, readonly string[]>()
  for (const [name, keys] of Object.entries(settings)) {
    const binding = find(name)
    chosen.set(
      binding.name,
      [keys].flat().map((key) => readKeyName(key, binding)),
    )
  }
  const owners = ownersOf(chosen)
  return bindingsOf(
    bindings.table.map((binding) => {
      const own = chosen.get(binding.name)
      if (own !== undefined) return { ...binding, keys: own }
      return { ...binding, keys: binding.keys.filter((key) => !owners.has(place(key, binding))) }
    }),
  )
}

type Named = Bindings['table'][number]

function find(name: string): Named {
  const binding = bindings.table.find((one) => one.name === name)
  if (binding?.context === 'question') throw fault(`the keys of questions cannot be changed: ${name}`)
  if (binding !== undefined) return binding
  const names = bindings.table.filter(({ context }) => context !== 'question').map((one) => one.name)
  const meant = nearest(name, names)
  const advice = meant === undefined ? `the actions are ${names.join(', ')}` : `did you mean ${meant}?`
  throw fault(`there is no action called ${JSON.stringify(name)}; ${advice}`)
}

/** Finds the action that the user gives each key. Throws `config` for a key with two. */
function ownersOf(chosen: ReadonlyMap<ActionName, readonly string[]>): ReadonlyMap<string, ActionName> {
  const owners = new Map<string, ActionName>()
  for (const binding of bindings.table) {
    for (const key of new Set(chosen.get(binding.name))) {
      const other = owners.get(place(key, binding))
      if (other !== undefined) throw fault(`${keyLabel(key)} is bound to both ${other} and ${binding.name}`)
      owners.set(place(key, binding), binding.name)
    }
  }
  return owners
}

/** A key hides others of its place: the keys that edit are those of the prompt. */
function place(key: string, { context }: Binding): string {
  return `${context === 'editing' ? 'prompt' : context} ${key}`
}

/** Returns the name of a key as the keyboard gives it. Throws `config`. */
function readKeyName(written: string, { name, context }: Named): string {
  const presses = written.trim().split(/\s+/)
  const [first = ''] = presses
  const isTwice = presses.length === 2 && presses[1] === first && name === 'rewind'
  if (presses.length !== 1 && !isTwice) throw fault(`${JSON.stringify(written)} is not a key, for ${name}`)
  const key = readPress(first)
  if (key === undefined) {
    throw fault(
      `${JSON.stringify(written)} is not a key, for ${name}; keys are such as ctrl+g, alt+enter, f5`,
    )
  }
  if ([...key].length === 1 && context !== 'empty') {
    throw fault(
      `${JSON.stringify(written)} types text, so it cannot be the key of ${name}; add ctrl+ or alt+`,
    )
  }
  return isTwice ? `${key} ${key}` : key
}

/** Modifiers in the order of the names of keys. */
const modifiers = ['super', 'ctrl', 'alt', 'shift']
const otherNames: Readonly<Record<string, string>> = {
  escape: 'esc',
  return: 'enter',
  del: 'delete',
  ins: 'insert',
  pgup: 'pageup',
  pgdn: 'pagedown',
  control: 'ctrl',
  option: 'alt',
  meta: 'alt',
  cmd: 'super',
}
const names: ReadonlySet<string> = new Set([
  ...['esc', 'enter', 'tab', 'backspace', 'delete', 'insert', 'space', 'home', 'end', 'pageup', 'pagedown'],
  ...['up', 'down', 'left', 'right'],
  ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`),
])

function readPress(written: string): string | undefined {
  const at = written.lastIndexOf('+', written.length - 2)
  const last = written.slice(at + 1)
  const held = at < 0 ? [] : written.slice(0, at).toLowerCase().split('+').map(usual)
  const name = usual(last.toLowerCase())
  const isCharacter = [...last].length === 1 && last !== ' '
  if (!isCharacter && !names.has(name)) return undefined
  if (held.some((one) => !modifiers.includes(one)) || new Set(held).size !== held.length) return undefined
  // Shift alone makes another character.
  if (isCharacter && held.length === 1 && held[0] === 'shift') return undefined
  const pressed = [
    ...modifiers.filter((one) => held.includes(one)),
    held.length === 0 && isCharacter ? last : name,
  ].join('+')
  return sameKeys[pressed] ?? pressed
}

/** Presses that terminals cannot tell from others. */
const sameKeys: Readonly<Record<string, string>> = {
  'ctrl+m': 'enter',
  'ctrl+i': 'tab',
  'ctrl+[': 'esc',
  'shift+backspace': 'backspace',
  'shift+esc': 'esc',
}

function usual(name: string): string {
  return otherNames[name] ?? name
}

function fault(words: string): PipeError {
  return new PipeError('config', `tui.keys: ${words}`)
}
