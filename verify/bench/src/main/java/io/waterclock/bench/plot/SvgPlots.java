package io.waterclock.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;

/** Draws plots as SVG files. Needs the fonts of the machine, but no display. */
public final class SvgPlots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;
  private static final int MOST_POINTS = 400;
  private static final int FEW_POINTS = 8;

  /** By Okabe and Ito: people with any colour blindness can distinguish them. */
  private static final Color[] COLORS = {
    new Color(0x0072B2),
    new Color(0xD55E00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9)
  };

  private SvgPlots() {}

  /**
   * Writes a plot under its name into a directory, which is made if need be.
   *
   * @return the file
   */
  public static Path write(Path dir, Plot plot) {
    System.setProperty("java.awt.headless", "true");
    try {
      Path file = Files.createDirectories(dir).resolve(plot.name() + ".svg");
      Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
      SVGGraphics2D graphics = new SVGGraphics2D(document);
      graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
      chart(plot).paint(graphics, WIDTH, HEIGHT);
      try (Writer out = Files.newBufferedWriter(file)) {
        graphics.stream(out, true);
      }
      return file;
    } catch (SVGGraphics2DIOException | ParserConfigurationException e) {
      throw new IllegalStateException("the plot " + plot.name() + " cannot be drawn", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static XYChart chart(Plot plot) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(plot.title())
            .xAxisTitle(plot.x().label())
            .yAxisTitle(plot.y().label())
            .build();
    style(chart.getStyler(), plot);
    for (Line line : plot.lines()) {
      Line drawn = line.thinned(MOST_POINTS);
      var series = chart.addSeries(line.name(), drawn.x(), drawn.y());
      series.setLineStyle(new BasicStroke(2f));
      series.setMarker(drawn.x().size() > FEW_POINTS ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
    }
    return chart;
  }

  private static void style(XYStyler style, Plot plot) {
    style.setSeriesColors(COLORS);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendLayout(LegendLayout.Horizontal);
    style.setLegendBorderColor(Color.WHITE);
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
    style.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    style.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    style.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    style.setXAxisLogarithmic(plot.x().scale() != Plot.Scale.LINEAR);
    style.setYAxisLogarithmic(plot.y().scale() != Plot.Scale.LINEAR);
    style.setXAxisTickLabelsFormattingFunction(value -> tick(plot.x(), value));
    style.setYAxisTickLabelsFormattingFunction(value -> tick(plot.y(), value));
    if (plot.y().scale() == Plot.Scale.LINEAR) {
      style.setYAxisMin(0.0);
    }
  }

  private static String tick(Plot.Axis axis, double value) {
    return switch (axis.scale()) {
      case PERCENTILE -> number(100 - 100 / value) + " %";
      case LINEAR, LOG -> number(value);
    };
  }

  /** Without needless digits, and with commas between thousands. */
  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%,.5f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
