/** Why a request is none; its text is for the page's developer. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest'
}
