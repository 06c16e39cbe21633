// What the scripts share on a page. Checked, never published.
interface SiteBoot {
  urls: DOMStringMap;
  load(url: string, done?: () => void, failed?: () => void): void;
  ask(kind: string, ...args: any[]): void;
  ready(kind: string, handler: (...args: any[]) => void): void;
  isDark(): boolean;
}
interface Window {
  torusSite: SiteBoot;
  Plotly: any;
}
declare var module: { exports: unknown } | undefined;
