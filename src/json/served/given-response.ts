import type { InteractionResponse } from '../../interaction.ts'
import { decodeResponse, type SentResponse } from '../documents/decode-question.ts'
import type { GivenResponse } from './command-schema.ts'

/** The answer of a client. Written out, because the compiler takes the parts of an inferred recursive type for required. */
interface Given extends Omit<GivenResponse, 'parts'> {
  readonly parts?: readonly Given[] | undefined
}

/** Decodes the answer of a client, which this actor gives; `undefined` if it names no question of ours. */
export function signResponse(given: Given, answeredBy: string): InteractionResponse | undefined {
  return decodeResponse(signed(given, answeredBy))
}

function signed({ parts, ...given }: Given, answeredBy: string): SentResponse {
  return { ...given, answered_by: answeredBy, parts: parts?.map((part) => signed(part, answeredBy)) }
}
