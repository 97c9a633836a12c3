/**
 * How browsers inside apps identify themselves. Most add the app's name; Android marks the view that they
 * use.
 */
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
 * Whether the page is in a browser inside an app, where some providers (Google) refuse to log people in. Only
 * the user agent tells; a plain view on an iPhone looks like a page on the home screen and counts as none.
 */
export const isInAppBrowser = (userAgent: string): boolean => signs.some((sign) => sign.test(userAgent))
