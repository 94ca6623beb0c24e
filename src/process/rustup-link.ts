import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Whether a program that leads to `target` is a link of rustup to a component that no toolchain below `home` has. It would only print an
 * error. rustup makes such links for everybody.
 */
export function isUnusedRustupLink(
  program: string,
  { target, home }: { readonly target: string; readonly home: string },
): boolean {
  if (basename(target) !== 'rustup') return false
  const toolchains = join(home, '.rustup/toolchains')
  const names = existsSync(toolchains) ? readdirSync(toolchains) : []
  return !names.some((name) => existsSync(join(toolchains, name, 'bin', basename(program))))
}
