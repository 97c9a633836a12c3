/** What becomes of an account that a person has proved to be theirs. The services of the methods serve them all. */
export type Purpose =
  | { readonly kind: 'login' }
  /** It is added to the person who is logged in. */
  | { readonly kind: 'link' }
  /** It takes the place of their old one of the same kind. */
  | { readonly kind: 'update'; readonly old: string }
