import { opendirSync } from 'node:fs'
import type { ContextFault } from '../../../config/context/context-files.ts'
import type { EnvironmentInfo } from '../../../frontend/conversation-view.ts'
import { belowHome } from '../../../machine/path.ts'
import type { Machine } from '../../machine.ts'
import { version } from '../../version.ts'
import { instructionName } from '../../wiring/instruction-frame.ts'
import type { Wired } from '../../wiring/wired.ts'
import { readableContextFiles, readInstructions } from '../message/run-prompt.ts'

/** Returns the facts that the head of a conversation shows. */
export function environmentInfo(
  machine: Machine,
  { config, mayRead, mayImport, isBare }: InstructionRules,
): EnvironmentInfo {
  const { cwd, home } = machine
  const files = readableContextFiles({ config, mayRead, mayImport, isBare, machine })
  return {
    version,
    folder: belowHome(cwd, home),
    isEmptyFolder: isEmptyFolder(cwd),
    instructions: files.map(({ path }) => instructionName(path, { cwd, home })),
  }
}

/** Whether a folder holds nothing but a repository. Reads a few names, however many there are. One that cannot be read is not empty. */
export function isEmptyFolder(folder: string): boolean {
  try {
    const opened = opendirSync(folder)
    try {
      for (let entry = opened.readSync(); entry !== null; entry = opened.readSync())
        if (entry.name !== '.git') return false
      return true
    } finally {
      opened.closeSync()
    }
  } catch {
    // A tool that works in the folder reports the fault; the placeholder needs no answer.
    return false
  }
}

/** Which instruction files a conversation may use. */
type InstructionRules = Pick<Wired, 'config' | 'mayRead' | 'mayImport' | 'isBare'>

/** Lines about instruction files, by who should see them. */
export interface InstructionNotes {
  /** A file is at fault. */
  readonly warnings: readonly string[]
  /** The model does not get a file, or not as a whole. */
  readonly notices: readonly string[]
  /** Names all instructions that it gets, with remarks, for a user who asks for all. */
  readonly details: readonly string[]
}

/** Says which instructions the model gets, and which not, or not as a whole. */
export function instructionNotes(
  machine: Pick<Machine, 'cwd' | 'home'>,
  { config, mayRead, mayImport, isBare }: InstructionRules,
): InstructionNotes {
  const { files, faults } = readInstructions({ config, mayRead, mayImport, isBare, machine })
  const noteOf = ({ path, what }: ContextFault) => `${instructionName(path, machine)} ${what}`
  const left = faults.filter(({ isDetail }) => isDetail !== true)
  const names = files.map(({ path }) => instructionName(path, machine))
  return {
    warnings: left.filter((one) => one.isBroken).map(noteOf),
    notices: left.filter((one) => !one.isBroken).map(noteOf),
    details: [
      ...(names.length === 0 ? [] : [`instructions: ${names.join(', ')}`]),
      ...faults.filter(({ isDetail }) => isDetail === true).map(noteOf),
    ],
  }
}
