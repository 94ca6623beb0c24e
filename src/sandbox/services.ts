import { readFileSync } from 'node:fs'
import { look } from '../files/look.ts'

/**
 * The Unix sockets with a name on the disk that services of this machine may listen at: those that the kernel lists (Linux), and
 * those that the environment of a program names, whoever made them. What connects to one is let out of the sandbox by whoever
 * answers: the agent of ssh, Docker, a daemon of Nix.
 */
export function findSockets(env: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.values(env).flatMap((value) => value.match(/\/[^,:;=\s]+/g) ?? [])
  return [...new Set([...listed(), ...named])].filter((path) => look(path)?.isSocket() === true)
}

/** The paths at the ends of the lines; sockets without one, and abstract ones, have none. */
function listed(): readonly string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').match(/(?<=^\S+: .* \d+ )\/.+$/gm) ?? []
  } catch {
    return []
  }
}
