import type { ContextFile, ContextFiles } from '../../config/context/context-files.ts'
import { belowHome, isWithin, pathFrom } from '../../machine/path.ts'
import { withoutFrames } from '../../memory/frames.ts'
import type { Machine } from '../machine.ts'
import { pathNames } from '../run/message/attachment.ts'

/** Leaves out the files that deny rules hide. */
export function shownInstructions(
  { files, faults }: ContextFiles,
  mayRead: (path: string) => boolean,
): ContextFiles {
  const isShown = ({ path }: ContextFile) => pathNames(path).every(mayRead)
  const hidden = files.filter((file) => !isShown(file))
  const what = 'is skipped: a deny rule hides it from the model'
  return {
    files: files.filter(isShown),
    faults: [...faults, ...hidden.map(({ path }) => ({ path, what, isBroken: false }))],
  }
}

/** Frames a file of instructions. A text of the project cannot end the frame. */
export function instructionFrame({ path, text, truncated, isOwn }: ContextFile, cwd: string): string {
  const name = pathFrom(cwd, path)
  const from = `from=${JSON.stringify(name)}${isOwn ? '' : ' supplied-by="project"'}`
  const said = isOwn ? text : withoutFrames(text)
  return `<instructions ${from}>\n${said.trim()}${truncated ? '\n[cut]' : ''}\n</instructions>`
}

/** Names a file by its path in the working folder, or below the home folder with `~`. */
export function instructionName(path: string, { cwd, home }: Pick<Machine, 'cwd' | 'home'>): string {
  return isWithin(path, cwd) ? pathFrom(cwd, path) : belowHome(path, home)
}
