/** Keyboard input. A press has a name such as `enter`, `ctrl+c`, `alt+enter`, `shift+tab` or `esc`. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  /** Text from the clipboard, line ends as `\n`. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'press'; readonly name: string }
