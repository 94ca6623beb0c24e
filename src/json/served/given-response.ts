import type { InteractionResponse } from '../../interaction.ts'
import { decodeResponse } from '../documents/decode-question.ts'
import type { GivenResponse } from './command-schema.ts'

/** The compiler takes the parts of an inferred recursive type for required. */
type Given = Omit<GivenResponse, 'parts'> & { readonly parts?: readonly Given[] }
type Signed = Omit<Given, 'parts'> & { answered_by: string; parts?: Signed[] }

/** Decodes the answer of a client, which this actor gives; `undefined` if it names no question of ours. */
export function signResponse(given: Given, answeredBy: string): InteractionResponse | undefined {
  return decodeResponse(signed(given, answeredBy))
}

function signed({ parts, ...given }: Given, answeredBy: string): Signed {
  return {
    ...given,
    answered_by: answeredBy,
    ...(parts === undefined ? {} : { parts: parts.map((part) => signed(part, answeredBy)) }),
  }
}
