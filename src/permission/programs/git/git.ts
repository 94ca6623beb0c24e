import { hasOption, readArguments } from '../arguments.ts'
import type { Program } from '../program.ts'
import { textsOf } from '../word-fields.ts'
import { gitDanger } from './dangers.ts'
import { gitContents, gitOperands, readOnlyGit } from './reads.ts'
import { gitRuns, gitRunsOther } from './runs.ts'
import { trackedFiles } from './shows.ts'
import { gitTargets } from './targets.ts'

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
  shows: trackedFiles,
  mayRun: gitRuns,
  doesMore: (args) => hasOption(readArguments(args), '', ['--output']) || gitRunsOther(args),
  obeysInput: false,
  wordsAreData: true,
  optionNames: { '--force': '-f' },
  openAfter: /^(add|commit|fetch|merge|mv|pull)$/,
}

/** Calls that leave the files they name as they are. */
const leavesFiles =
  /^((--no-pager|-P) )*(add|commit|push|fetch|log|show|diff|status|blame|grep|ls-files|rev-parse|branch|tag|rm --cached)( |$)/
