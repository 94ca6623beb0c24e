import { keyLabel } from './key-label.ts'

/** The place where a key has its meaning. The same key may mean one thing in each. */
export type KeyContext =
  /** The prompt is empty. Comes before all others. */
  | 'empty'
  /** A turn or a task runs. Comes before `prompt`. */
  | 'busy'
  /** The prompt, empty or not. */
  | 'prompt'
  /** Editing the draft, and any other text that is being written. */
  | 'editing'
  /** Earlier messages are being searched. */
  | 'search'
  /** A question is open. Its keys cannot be changed. */
  | 'question'

/** A meaning of keys. */
export interface Binding {
  readonly name: string
  /** Names of keys as in `Key`; a single character stands for itself, and `esc esc` for two presses. The first is shown in hints. */
  readonly keys: readonly string[]
  readonly context: KeyContext
  /** Says what the key does, for people. */
  readonly meaning: string
  /** The keys as the help shows them. Default: their labels. */
  readonly shown?: string
}

const table = [
  bind('send', 'prompt', 'send; during a turn, the model gets it at the next step', 'enter', 'ctrl+enter'),
  bind('queue', 'prompt', 'queue the message as the next turn', 'alt+enter'),
  bind('take_back', 'prompt', 'take the newest waiting message back into the prompt', 'alt+up'),
  bind('interrupt', 'busy', 'stop the turn', 'esc'),
  bind('rewind', 'empty', 'go back to an earlier message, as /rewind does', 'esc esc'),
  bind('mode', 'prompt', 'the next permission mode', 'shift+tab'),
  bind('next_model', 'prompt', 'the next model', 'ctrl+p'),
  bind('clear', 'prompt', 'clear the draft, else stop the turn, else quit if pressed twice', 'ctrl+c'),
  bind('quit', 'empty', 'quit', 'ctrl+d'),
  bind('suspend', 'prompt', 'suspend pipe; fg resumes it', 'ctrl+z'),
  bind('redraw', 'prompt', 'draw the screen again', 'ctrl+l'),
  bind('help', 'empty', 'show the keys of most use', '?'),
  bind('shell', 'empty', 'run a command of your own', '!'),
  bind('open_output', 'prompt', 'show the output of a tool call', 'ctrl+o'),
  bind('thoughts', 'prompt', 'show the thoughts of the model', 'ctrl+t'),
  bind('complete', 'prompt', 'complete a command or a file name', 'tab'),
  bind('history_search', 'prompt', 'search earlier messages; again: an older one', 'ctrl+r'),
  bind('search_newer', 'search', 'a newer one', 'ctrl+s'),
  bind('paste_image', 'prompt', 'attach the image on the clipboard', 'ctrl+v'),
  bind('edit_outside', 'prompt', 'write the draft in your editor', 'ctrl+g'),
  ...[
    bind('new_line', 'editing', 'a new line; a backslash before Enter too', 'ctrl+j', 'shift+enter'),
    bind('up', 'editing', 'a row up; from the first one, an earlier message', 'up'),
    bind('down', 'editing', 'a row down; from the last one, a later message', 'down'),
    bind('left', 'editing', 'a character back', 'left', 'ctrl+b'),
    bind('right', 'editing', 'a character forward', 'right', 'ctrl+f'),
    bind('word_left', 'editing', 'a word back', 'alt+b', 'ctrl+left', 'alt+left'),
    bind('word_right', 'editing', 'a word forward', 'alt+f', 'ctrl+right', 'alt+right'),
    bind('line_start', 'editing', 'the start of the line', 'ctrl+a', 'home'),
    bind('line_end', 'editing', 'the end of the line', 'ctrl+e', 'end'),
    bind('text_start', 'editing', 'the start of the draft', 'ctrl+home', 'alt+<'),
    bind('text_end', 'editing', 'the end of the draft', 'ctrl+end', 'alt+>'),
    bind('delete_back', 'editing', 'delete the character before the cursor', 'backspace', 'ctrl+h'),
    bind('delete', 'editing', 'delete the character at the cursor', 'delete', 'ctrl+d'),
    bind('kill_to_space', 'editing', 'cut back to a space', 'ctrl+w'),
    bind('kill_word_back', 'editing', 'cut the word before the cursor', 'alt+backspace', 'ctrl+backspace'),
    bind('kill_word', 'editing', 'cut the word after the cursor', 'alt+d', 'ctrl+delete', 'alt+delete'),
    bind('kill_to_start', 'editing', 'cut to the start of the line', 'ctrl+u'),
    bind('kill_to_end', 'editing', 'cut to the end of the line', 'ctrl+k'),
    bind('yank', 'editing', 'put back what was cut', 'ctrl+y'),
    bind('yank_pop', 'editing', 'after that: what was cut before it', 'alt+y'),
    bind('transpose', 'editing', 'swap the two characters around the cursor', 'alt+t'),
    bind(
      'undo',
      'editing',
      'undo an edit of the draft',
      'ctrl+_',
      'ctrl+-',
      'ctrl+shift+-',
      'ctrl+/',
      'ctrl+7',
    ),
    bind('redo', 'editing', 'redo it', 'alt+_', 'alt+shift+-', 'ctrl+shift+z'),
  ],
  { ...bind('answer', 'question', 'answer it; ↑ ↓ and Enter too', 'y', 'n'), shown: 'y, n, 1, 2 …' },
  bind('arm', 'question', 'answer a question that opened while you were typing', 'tab'),
  { ...bind('scroll', 'question', 'scroll it', 'pageup', 'pagedown'), shown: 'PgUp PgDn' },
  bind('decline', 'question', 'stop the turn', 'esc'),
] as const

/** The name of a meaning, as settings give it. */
export type ActionName = (typeof table)[number]['name']

/** The meanings of keys, by name and by key. */
export interface Bindings {
  /** All of them, in the order in which the help lists them. */
  readonly table: readonly (Binding & { readonly name: ActionName })[]
  /** The meanings of each key outside questions, those of the narrowest context first. */
  readonly byKey: ReadonlyMap<string, readonly (Binding & { readonly name: ActionName })[]>
}

/** Index of a context: a smaller one comes first. */
const order: Readonly<Record<KeyContext, number>> = {
  empty: 0,
  busy: 1,
  prompt: 2,
  editing: 3,
  search: 4,
  question: 5,
}

/** Creates the meanings of keys from their table. */
export function bindingsOf(bindings: Bindings['table']): Bindings {
  const byKey = new Map<string, Bindings['table']>()
  for (const binding of bindings.toSorted((a, b) => order[a.context] - order[b.context])) {
    if (binding.context === 'question') continue
    for (const key of binding.keys) byKey.set(key, [...(byKey.get(key) ?? []), binding])
  }
  return { table: bindings, byKey }
}

/** The keys that pipe comes with. */
export const bindings: Bindings = bindingsOf(table)

/** Returns the label of the first key of an action, such as `Alt+↑`, for hints; empty if it has none. */
export function keyOf({ table }: Bindings, name: ActionName): string {
  const [key = ''] = table.find((one) => one.name === name)?.keys ?? []
  return keyLabel(key)
}

/** Returns the label of an action's first key in its short form, such as `^O` for `Ctrl+O`. */
export function shortKeyOf(bindings: Bindings, name: ActionName): string {
  return keyOf(bindings, name).replace(/^Ctrl\+(?=.$)/, '^')
}

/** Returns the key of an action with what it does, such as `Esc stops`; empty if it has no key. */
export function keyHint(bindings: Bindings, name: ActionName, does: string): string {
  const key = keyOf(bindings, name)
  return key === '' ? '' : `${key} ${does}`
}

function bind<Name extends string>(
  name: Name,
  context: KeyContext,
  meaning: string,
  ...keys: readonly string[]
): Binding & { readonly name: Name } {
  return { name, context, meaning, keys }
}
