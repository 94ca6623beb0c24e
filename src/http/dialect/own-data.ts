import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock, ProviderData } from '../../message.ts'
import { object } from './json-fields.ts'

/** Who writes, and alone reads, what nobody else understands: a provider, and a model as it was asked for. */
export interface Author {
  readonly provider: string
  readonly model: string
}

export function ownData({ provider, model }: Author, data: JsonObject): ProviderData {
  return { provider, data: { model, ...data } }
}

/** What was kept with a block, if this is who wrote it. */
export function readOwnData(
  { providerData }: ContentBlock,
  { provider, model }: Author,
): JsonObject | undefined {
  const data = providerData?.provider === provider ? object(providerData.data) : undefined
  return data?.['model'] === model ? data : undefined
}
