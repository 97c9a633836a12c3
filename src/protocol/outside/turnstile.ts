/** The part of Cloudflare Turnstile that we use. https://developers.cloudflare.com/turnstile/ */
export interface Turnstile {
  /** Renders a widget into a container. Throws for parameters that it does not accept. */
  render(container: HTMLElement, parameters: WidgetParameters): string | null | undefined
  execute(widget: string): void
  reset(widget: string): void
  remove(widget: string): void
}

export interface WidgetParameters {
  sitekey: string
  /** At most 32 letters, digits, `_` and `-`; the server compares it. */
  action?: string
  /** `compact` is 150 pixels wide, `normal` 300. */
  size?: 'normal' | 'compact'
  theme?: 'light' | 'dark' | 'auto'
  /** `execute`: nothing begins before `execute` is called. */
  execution?: 'render' | 'execute'
  /** `interaction-only`: invisible until the person has to do something. */
  appearance?: 'always' | 'execute' | 'interaction-only'
  retry?: 'auto' | 'never'
  'refresh-expired'?: 'auto' | 'manual' | 'never'
  'refresh-timeout'?: 'auto' | 'manual' | 'never'
  'response-field'?: boolean
  callback?: (token: string) => void
  /** Returns true if the failure was handled; otherwise the vendor logs it to the console. */
  'error-callback'?: (code?: string) => boolean
  'expired-callback'?: () => void
  'timeout-callback'?: () => void
  'unsupported-callback'?: () => void
  'before-interactive-callback'?: () => void
  'after-interactive-callback'?: () => void
}

export const turnstileScript = 'https://challenges.cloudflare.com/turnstile/v0/api.js'

/** The vendor's object on the page, if its script is there. */
export const turnstileOf = (window: Window): Turnstile | undefined =>
  (window as { turnstile?: Turnstile }).turnstile
