import type { ReactNode } from 'react'
import { FinishedRows } from '../paint/finished-rows.tsx'
import { SceneContext, type SceneSource } from '../paint/scene.ts'
import { LiveRegion } from './live-region.tsx'

/** Creates the tree of components that shows the scenes of a source. */
export function sceneTree(source: SceneSource): ReactNode {
  return (
    <SceneContext value={source}>
      <FinishedRows />
      <LiveRegion />
    </SceneContext>
  )
}
