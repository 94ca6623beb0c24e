import type { Clock } from '../../../clock.ts'
import type { ArtifactStore } from '../../../machine/artifact.ts'
import { BoundedWait } from './bounded-wait.ts'
import { foreignFailure } from './foreign-failure.ts'

/**
 * Wraps foreign files, so that a method that throws, or ignores its signal for 5 s, fails its call only. What is no PipeError becomes
 * `internal`, which the model sees.
 */
export function containArtifacts(artifacts: ArtifactStore, clock: Clock): ArtifactStore {
  const contained = async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    const limit = new BoundedWait(signal, clock, 'the store of files')
    try {
      return await limit.wait(work())
    } catch (error) {
      throw foreignFailure(error, 'internal', 'the store of files')
    } finally {
      limit.end()
    }
  }
  return {
    readFile: (path, options) => contained(options.signal, () => artifacts.readFile(path, options)),
    readFileRange: (path, range, options) =>
      contained(options.signal, () => artifacts.readFileRange(path, range, options)),
    realPath: (path, options) => contained(options.signal, () => artifacts.realPath(path, options)),
    getRevision: (path, options) => contained(options.signal, () => artifacts.getRevision(path, options)),
    listDir: (path, options) => contained(options.signal, () => artifacts.listDir(path, options)),
    writeFile: (path, content, options) =>
      contained(options.signal, () => artifacts.writeFile(path, content, options)),
    move: (from, to, options) => contained(options.signal, () => artifacts.move(from, to, options)),
  }
}
