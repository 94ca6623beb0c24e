import { join } from 'node:path'
import type { Directories } from '../../config/directories.ts'
import { signInPath } from '../../config/mcp/sign-in-path.ts'
import { tighten } from '../../files/mode.ts'

/** Returns a warning if other users can read keys, sessions or audit logs, because their permissions cannot be restricted. */
export function openToOthers({ config, sessions, audit }: Directories): readonly string[] {
  const open = [
    { what: 'keys', path: join(config, 'auth.json'), mode: 0o600 },
    { what: 'sign-ins', path: signInPath(config), mode: 0o600 },
    { what: 'sessions', path: sessions, mode: 0o700 },
    { what: 'audit logs', path: audit, mode: 0o700 },
  ].filter(({ path, mode }) => tighten(path, mode) === 'open')
  const [first] = open
  if (first === undefined) return []
  const names = open.map(({ what }) => what).join(', ')
  return [
    `other users can read your ${names} (${first.path}): the file system there cannot restrict permissions; set PIPE_HOME to a folder elsewhere`,
  ]
}
