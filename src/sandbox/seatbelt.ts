import { PipeError } from '../error.ts'
import type { ProgramCall } from '../machine/running-command.ts'
import { type Accesses, isHidden } from './path-access.ts'
import type { SandboxProfile } from './profile.ts'

/** Permissions that every program needs. Later rules override earlier ones. */
const foundation = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow file-read*)
(allow sysctl-read)
(allow ipc-posix-sem)
(allow ipc-posix-shm*)
(allow pseudo-tty)
(allow user-preference-read)
(allow file-ioctl (regex "^/dev/(tty|ptmx)"))
(allow file-write* (regex "^/dev/(null|zero|tty.*|ptmx|dtracehelper|fd/.*)$"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger")
  (global-name "com.apple.cfprefsd.daemon") (global-name "com.apple.cfprefsd.agent") (local-name "com.apple.cfprefsd.agent"))`

const network = `(allow network*)
(allow system-socket)
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.dnssd.service")
  (global-name "com.apple.networkd") (global-name "com.apple.trustd") (global-name "com.apple.trustd.agent")
  (global-name "com.apple.SecurityServer") (global-name "com.apple.ocspd"))`

interface SeatbeltOptions {
  readonly file: string
  readonly profile: SandboxProfile
  readonly accesses: Accesses
}

/** Returns the program inside macOS's `sandbox-exec`. */
export function inSeatbelt(program: ProgramCall, { file, profile, accesses }: SeatbeltOptions): ProgramCall {
  const text = seatbeltProfile(profile, accesses)
  const args = ['-p', text, '--', program.file, ...program.args]
  return { file, args, cwd: program.cwd, env: { ...program.env, TMPDIR: profile.temp } }
}

/** The profile's text. Protected paths match in any case, as on the file system. */
export function seatbeltProfile(profile: SandboxProfile, accesses: Accesses): string {
  const rules = [`(allow file-write* (subpath ${quote(profile.temp)}))`]
  for (const [path, access] of accesses) {
    if (access === 'write') {
      // The folder itself cannot be removed; its contents may change.
      rules.push(
        `(allow file-write* (subpath ${quote(path)}))`,
        `(deny file-write-unlink (literal ${quote(path)}))`,
      )
    } else if (isHidden(access)) {
      const all = access === 'hidden' ? 'literal' : 'subpath'
      rules.push(`(deny file-read* file-write* (${all} ${quote(path)}))`)
    } else rules.push(`(deny file-write* (regex ${quote(`^${anyCase(path)}(/|$)`)}))`)
  }
  return [foundation, ...(profile.network ? [network] : []), ...rules].join('\n')
}

/** Source of a regular expression that ignores case. */
function anyCase(path: string): string {
  return [...path]
    .map((letter) => {
      const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()]
      if (small !== capital) return `[${small}${capital}]`
      return /[\w/ -]/.test(letter) || letter > '\x7f' ? letter : `\\${letter}`
    })
    .join('')
}

function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new PipeError('sandbox', `the sandbox cannot handle the path ${JSON.stringify(text)}: rename it`)
  }
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
