import { belowHome, isWithin, pathFrom } from '../../machine/path.ts'

/** A path as people write it: relative to the working folder, else below `~`, else absolute. */
export function shownPath(
  path: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  return isWithin(path, cwd) ? pathFrom(cwd, path) || '.' : belowHome(path, home)
}
