import { LineCollector } from '../../files/reading/text-lines.ts'
import type { FileRange, LineRange } from '../../machine/artifact.ts'

/** Returns lines of a file's bytes, as `ArtifactStore.readFileRange` promises, for stores that hold whole files. */
export function linesIn(bytes: Uint8Array, range: LineRange): FileRange {
  const collector = new LineCollector(range)
  collector.push(bytes)
  return collector.finish()
}
