import { isPipeError } from '../error.ts'
import type { CommandRunner, ProgramCall } from '../machine/running-command.ts'

/** Whether the sandbox works here. If not: why, and what helps. */
export type SandboxState =
  | { readonly works: true; readonly program: string }
  | { readonly works: false; readonly reason: string; readonly remedy: string }

/** Commands could replace the program that confines them. */
export const tooWide: SandboxState = {
  works: false,
  reason: 'commands may write here to the programs of this system',
  remedy: 'start pipe in a folder of your own',
}

export const notInstalled: SandboxState = {
  works: false,
  reason: 'bubblewrap (bwrap) is not installed',
  remedy: 'install it: apt install bubblewrap (or dnf, pacman, zypper, apk add bubblewrap)',
}

const timeoutMs = 5_000

/** Remedies by bubblewrap's error message. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/unknown option/i, 'bubblewrap 0.5 or newer is needed'],
  [
    /namespace|uid map|gid map|permission|not permitted/i,
    'programs cannot create namespaces here. On Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0. ' +
      'In a container or inside another sandbox: run pipe outside it, or rely on it and use --sandbox off',
  ],
]

/** Runs a program that does nothing in the sandbox that `file` creates. Waits at most 5 seconds. */
export async function probe(
  commands: CommandRunner,
  { file, confined }: { readonly file: string; readonly confined: ProgramCall },
): Promise<SandboxState> {
  const running = commands.run({ ...confined, timeoutMs }, { signal: new AbortController().signal })
  let said = ''
  try {
    for (;;) {
      const step = await running.next()
      if (step.done !== true) {
        said = (said + Buffer.from(step.value.chunk).toString()).slice(-2_000)
      } else if (step.value.exitCode === 0) {
        return { works: true, program: file }
      } else {
        return failure(step.value.timedOut ? 'it does not start' : said.trim())
      }
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    return failure(error.message)
  }
}

function failure(said: string): SandboxState {
  const reason = said.split('\n').at(-1) || 'it fails without a message'
  const [, remedy] = remedies.find(([pattern]) => pattern.test(said)) ?? []
  return { works: false, reason, remedy: remedy ?? 'run without it: --sandbox off' }
}
