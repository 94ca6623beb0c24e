/** Returns a key's name as people read it: `alt+up` gives `Alt+↑`, `esc esc` gives `Esc Esc`. */
export function keyLabel(key: string): string {
  return key.split(' ').map(pressLabel).join(' ')
}

function pressLabel(key: string): string {
  const at = key.lastIndexOf('+', key.length - 2)
  const modifiers = key.slice(0, at + 1)
  const last = key.slice(at + 1)
  const named = labels[last] ?? (last.length > 1 || modifiers !== '' ? capital(last) : last)
  return (
    modifiers
      .split('+')
      .filter(Boolean)
      .map((one) => `${capital(one)}+`)
      .join('') + named
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const labels: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
}
