import type { Program } from '../program.ts'
import { hasOption, splitArguments } from '../program-arguments.ts'
import { textsOf } from '../word-fields.ts'
import { gitDanger } from './git-dangers.ts'
import { gitTargets } from './git-targets.ts'
import { gitContents, gitOperands, readOnlyGit } from './reads.ts'
import { gitRuns, gitRunsOther } from './runs.ts'
import { filesShown } from './shows.ts'

export const git: Program = {
  danger: (args) => gitDanger(textsOf(args)),
  reads: {
    files: (_, args) => gitOperands(args),
    contents: gitContents,
    accepts: (_, args) => readOnlyGit(args),
    pathOptions: false,
  },
  outputs: /^(-o|--output(-directory)?|--directory|--separate-git-dir)(?==|$)/,
  writes: gitTargets,
  mayWrite: (args) =>
    leavesFiles.test(args.join(' ')) && !args.some((arg) => /^(-o|--ou)/.test(arg))
      ? 'unknown words'
      : 'any file',
  mayWriteBelow: true,
  takesNames: /^(push|fetch|switch)$/,
  recordsMessage: /^(commit|tag|merge|notes)$/,
  walksNames: true,
  shows: filesShown,
  mayRun: gitRuns,
  doesMore: (args) => hasOption(splitArguments(args), '', ['--output']) || gitRunsOther(args),
  obeysInput: false,
  wordsAreData: true,
  optionNames: { '--force': '-f' },
  openAfter: /^(add|commit|fetch|merge|mv|pull)$/,
}

/** Calls that leave the files they name as they are. */
const leavesFiles =
  /^((--no-pager|-P) )*(add|commit|push|fetch|log|show|diff|status|blame|grep|ls-files|rev-parse|branch|tag|rm --cached)( |$)/
