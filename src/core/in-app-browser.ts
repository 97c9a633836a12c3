/** What an app's own browser says of itself. Most of them add the app's name; Android marks the view that they use. */
const signs = [
  /\bFB(AN|AV|_IAB|IOS)\b/, // Facebook, Messenger
  /\bInstagram\b/,
  /\bLine\//,
  /\bMicroMessenger\b/, // WeChat
  /\b(musical_ly|BytedanceWebview|TikTok|trill_)/i,
  /\bSnapchat\b/,
  /\bTwitterAndroid\b|\bTwitter for iP(hone|ad)\b/,
  /\bLinkedInApp\b/,
  /\bPinterest\b/,
  /\bKAKAOTALK\b/i,
  /\bNAVER\(inapp\b/,
  /\bDuckDuckGo\/\d+ \(inapp\b/,
  /\bAndroid\b.*; wv\)/,
]

/**
 * Whether a page is shown by the browser inside an app, where some providers refuse a login (spec §5: Google).
 * Told by the user agent alone; a plain view on an iPhone can't be told from a page on the home screen, and is none.
 */
export const isInAppBrowser = (userAgent: string): boolean => signs.some((sign) => sign.test(userAgent))
