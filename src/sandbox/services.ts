import { readFileSync } from 'node:fs'
import { look } from '../files/look.ts'

/**
 * Unix sockets with a path that services may listen at: those that Linux lists, and those named in the environment. A service
 * that answers, such as the ssh agent, Docker or the Nix daemon, acts outside the sandbox.
 */
export function findSockets(env: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.values(env).flatMap((value) => value.match(/\/[^,:;=\s]+/g) ?? [])
  return [...new Set([...listed(), ...named])].filter((path) => look(path)?.isSocket() === true)
}

/** The paths at the ends of the lines. Unnamed and abstract sockets have none. */
function listed(): readonly string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').match(/(?<=^\S+: .* \d+ )\/.+$/gm) ?? []
  } catch {
    return []
  }
}
