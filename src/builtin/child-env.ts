type Environment = Readonly<Record<string, string>>

/** What names of secrets look like. */
const secret = /KEY|SECRET|TOKEN|PASSW|PASSPHRASE|CREDENTIAL/i

/** What only looks like it. */
const harmless =
  /^(GIT_CONFIG_KEY_\d+|GNOME_KEYRING_CONTROL|KEYBOARD\w*|KEYTIMEOUT|LESSKEY\w*|TOKENIZERS_PARALLELISM)$/

/**
 * The environment that commands may see: without variables whose names hold KEY, SECRET, TOKEN, PASSW, PASSPHRASE or CREDENTIAL in
 * any case, and those of `drop`; with those of `keep` all the same. `*` in these lists stands for any characters. What is no
 * secret by itself stays, the socket of an ssh agent (`SSH_AUTH_SOCK`) for one.
 */
export function childEnvironment(
  env: Environment,
  { drop = [], keep = [] }: { readonly drop?: readonly string[]; readonly keep?: readonly string[] } = {},
): Record<string, string> {
  const [dropped, kept] = [matcher(drop), matcher(keep)]
  const isDropped = (name: string) => dropped.test(name) || (secret.test(name) && !harmless.test(name))
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name) || !isDropped(name)))
}

function matcher(names: readonly string[]): RegExp {
  const patterns = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
  return new RegExp(`^(${patterns.length === 0 ? '(?!)' : patterns.join('|')})$`)
}

/** Nothing may wait for a person, open an editor or page its output. */
const unattended = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  MANPAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
  SSH_ASKPASS_REQUIRE: 'never',
  TERM: 'dumb',
  NO_COLOR: '1',
  AI_AGENT: 'pipe',
}

/** What asks in a window, and what colours all the same. */
const insistent = ['SSH_ASKPASS', 'SUDO_ASKPASS', 'FORCE_COLOR', 'CLICOLOR_FORCE']

/** The same for commands that nobody sits at. */
export function unattendedEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !insistent.includes(name))
  return { ...Object.fromEntries(kept), ...unattended }
}
