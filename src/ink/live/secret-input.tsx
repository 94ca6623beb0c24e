import type { SecretEntry } from '../choices/secret-entry.ts'
import { drawSecret } from '../choices/secret-entry.ts'
import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'

/** Shows how much of a secret was typed. */
export function SecretInput({ secret }: { readonly secret: SecretEntry }) {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawSecret(secret, screen.size.columns)} />
}
