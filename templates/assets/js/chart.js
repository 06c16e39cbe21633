// @ts-check
"use strict";
/* Puts an interactive chart in the place of a static one: same box, same numbers, colours from the theme. The
   library is fetched once, when the first chart is wanted. If it does not come, the static charts stay. */
(() => {
  const site = window.torusSite;
  /** @type {{ box: HTMLElement, plot: HTMLElement, data: any[], layout: any }[]} */
  const live = [];
  /** @type {Element[] | null} figures that wait for the library */
  let waiting = [];
  let asked = false;

  /**
   * The colour a custom property stands for now, in the scheme that shows.
   * @type {(name: string) => string}
   */
  const colour = (() => {
    const probe = document.createElement("i");
    probe.hidden = true;
    return (/** @type {string} */ name) => {
      if (!probe.isConnected) document.body.append(probe);
      // A forced palette would paint every series in one colour.
      probe.style.setProperty("forced-color-adjust", name.startsWith("hue") ? "none" : "auto");
      probe.style.color = `var(--site-${name})`;
      return getComputedStyle(probe).color;
    };
  })();

  /** @param {any} trace @param {any} marker */
  const paintMarker = (trace, marker) => {
    const meta = trace.meta || {};
    if (meta.hue !== undefined) marker.color = colour(`hue-${meta.hue}`);
    if (!meta.hues) return;
    const colours = meta.hues.map((/** @type {number} */ hue) => colour(`hue-${hue}`));
    if (trace.type === "pie") marker.colors = colours;
    else marker.color = colours;
  };

  /**
   * Hover text, or lists of it, with lines that fit a box.
   * @param {any} text
   * @param {number} letters
   * @returns {any}
   */
  const wrap = (text, letters) => {
    if (Array.isArray(text)) return text.map((it) => wrap(it, letters));
    if (typeof text !== "string") return text;
    const lines = text.split("<br>").flatMap((line) => {
      /** @type {string[]} */
      const broken = [];
      for (const word of line.split(" ")) {
        const last = broken.at(-1);
        if (last !== undefined && last.length + word.length < letters) broken[broken.length - 1] = `${last} ${word}`;
        else broken.push(word);
      }
      return broken;
    });
    return lines.join("<br>");
  };

  /**
   * The traces in the colours of the scheme that shows.
   * @param {any[]} data
   * @param {number} width of the box
   * @returns {any[]}
   */
  const paint = (data, width) =>
    data.map((trace) => {
      const it = { ...trace, marker: { ...trace.marker } };
      it.customdata = wrap(trace.customdata, Math.min(width / 14, 44));
      paintMarker(trace, it.marker);
      if (trace.error_y) it.error_y = { thickness: 1.25, width: 0, ...trace.error_y, color: colour("ink") };
      if (trace.error_x) it.error_x = { thickness: 1.25, width: 0, ...trace.error_x, color: colour("ink") };
      it.textfont = { ...trace.textfont, color: colour("ink") };
      if (trace.line) it.line = { ...trace.line, color: colour("ink") };
      if (trace.type === "heatmap") {
        // The longest text of a cell fills its column, short of its gaps.
        const { fit, beside } = trace.meta;
        it.textfont.size = Math.min(13, ((width - beside) / trace.x.length - 2) / fit);
        const fill = colour("fill").replace("rgb(", "rgba(");
        it.colorscale = [
          [0, fill.replace(")", ", 0.05)")],
          [1, fill.replace(")", ", 0.55)")],
        ];
        it.showscale = false;
      }
      if (trace.type === "pie") it.marker.line = { color: colour("bg"), width: 2 };
      return it;
    });

  /**
   * The layout in the box's size and the theme's face and colours.
   * @param {HTMLElement} box
   * @param {any} layout
   */
  const dress = (box, layout) => {
    const axis = { ticks: "", gridcolor: colour("line"), zerolinecolor: colour("line"), fixedrange: true };
    const shapes = (layout.shapes || []).map((/** @type {any} */ shape) => ({
      ...shape,
      line: { width: 1, ...shape.line, color: colour("ink") },
    }));
    return {
      ...layout,
      shapes,
      width: box.clientWidth,
      height: box.clientHeight,
      autosize: false,
      showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      dragmode: false,
      font: { family: getComputedStyle(box).fontFamily, size: 13, color: colour("ink-soft") },
      hoverlabel: {
        align: "left",
        bgcolor: colour("bg"),
        bordercolor: colour("ink-soft"),
        font: { family: getComputedStyle(box).fontFamily, size: 13, color: colour("ink") },
      },
      xaxis: { ...axis, ...layout.xaxis },
      yaxis: { ...axis, ...layout.yaxis },
    };
  };

  /** @param {(typeof live)[number]} chart */
  const draw = (chart) => {
    const settings = { displayModeBar: false, responsive: false, showTips: false, doubleClick: false };
    return window.Plotly.react(chart.plot, paint(chart.data, chart.box.clientWidth), dress(chart.box, chart.layout), settings);
  };

  /**
   * Make the entries of the legend switches.
   * @param {Element} figure
   * @param {(typeof live)[number]} chart
   */
  const wireLegend = (figure, chart) => {
    const entries = Array.from(figure.querySelectorAll(".legend li"));
    const named = chart.data.filter((trace) => trace.meta?.hue !== undefined && trace.name);
    entries.forEach((entry, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "true");
      button.append(...entry.childNodes);
      entry.append(button);
      button.onclick = () => {
        const shown = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(shown));
        const { legendgroup } = named[index];
        for (const trace of chart.data)
          if (trace === named[index] || (legendgroup && trace.legendgroup === legendgroup)) trace.visible = shown;
        draw(chart);
      };
    });
  };

  /** @param {Element} figure */
  const take = async (figure) => {
    const box = /** @type {HTMLElement} */ (figure.querySelector(".box"));
    const source = figure.querySelector('script[type="application/json"]');
    const still = box.querySelector("svg");
    if (!source || !still) return;
    const { data, layout } = JSON.parse(source.textContent || "{}");
    const plot = document.createElement("div");
    plot.className = "plot";
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", still.querySelector("desc")?.textContent || still.querySelector("title")?.textContent || "");
    const chart = { box, plot, data, layout };
    box.append(plot);
    try {
      await draw(chart);
    } catch (error) {
      plot.remove();
      throw error;
    }
    box.classList.add("live");
    live.push(chart);
    wireLegend(figure, chart);
    new ResizeObserver(() => {
      if (box.clientWidth !== plot.querySelector(".main-svg")?.clientWidth) draw(chart);
    }).observe(box);
  };

  addEventListener("site-scheme", () => live.forEach(draw));

  site.ready("chart", (/** @type {HTMLElement} */ figure) => {
    if (figure.dataset.chart) return;
    figure.dataset.chart = "taken";
    if (!waiting) {
      take(figure);
      return;
    }
    waiting.push(figure);
    if (asked) return;
    asked = true;
    site.load(site.urls.plotly || "", () => {
      waiting?.forEach(take);
      waiting = null;
    });
  });
})();
