import type { Host } from '../../../src/cli/host.ts'
import { type Output, printWarning } from '../../../src/terminal/output.ts'
import { stillClock } from '../clocks/still-clock.ts'
import { countingIds } from '../messages/ids.ts'

/** An output that keeps its text. Two may share a `screen`, as on a terminal. */
export function capture(isTerminal: boolean, screen: string[] = []): Output & { text(): string } {
  const written: string[] = []
  return {
    isTerminal,
    write: (text) => {
      written.push(text)
      screen.push(text)
    },
    text: () => written.join(''),
  }
}

/** A host for this folder in which nothing happens. */
export function quietHost(cwd: string, more: Partial<Host> = {}): Host {
  const stderr = more.stderr ?? capture(false)
  return {
    argv: [],
    env: {},
    ignored: [],
    cwd,
    home: cwd,
    pid: 1,
    hostname: 'here',
    platform: 'linux',
    clock: stillClock(),
    startedMs: 0,
    newId: countingIds(),
    random: () => 0.5,
    stdout: capture(false),
    stderr,
    warn: (line) => printWarning({ stderr }, line),
    packageFolder: () => process.cwd(),
    ...more,
  }
}
