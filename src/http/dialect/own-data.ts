import type { JsonObject } from '../../json-value.ts'
import type { ContentBlock, ProviderData } from '../../message.ts'
import { object } from '../../wire/json-fields.ts'

/** The only writer and reader of some provider data: a provider, and a model by its requested name. */
export interface Author {
  readonly provider: string
  readonly model: string
}

export function ownData({ provider, model }: Author, data: JsonObject): ProviderData {
  return { provider, data: { model, ...data } }
}

/** Returns the data kept with a block, if this author wrote it. */
export function readOwnData(
  { providerData }: ContentBlock,
  { provider, model }: Author,
): JsonObject | undefined {
  const data = providerData?.provider === provider ? object(providerData.data) : undefined
  return data?.['model'] === model ? data : undefined
}
