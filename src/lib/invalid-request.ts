/** A request is malformed. The message is meant for the page's developer and contains no secret. */
export class InvalidRequest extends Error {
  override name = 'InvalidRequest'
}
